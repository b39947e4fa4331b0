# cmake -DINPUT=... -DOUTPUT=... -P embed_file.cmake
# Writes the bytes of INPUT as the elements of a C++ array, with a zero behind the last.
file(READ "${INPUT}" bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(WRITE "${OUTPUT}" "${bytes}0x00\n")
