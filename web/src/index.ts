// Glissade in a browser: smooth motion from a simulation in a worker. All of it is the C++ library; this is its front.
export {FollowCamera, type CameraView, type FollowCameraOptions} from "./camera.js";
export {Channel, type ChannelOptions, type Transport, type WriterTicket} from "./channel.js";
export {FixedStep, TickPacer, type ClockOptions, type PacedStep, type Sample, type Step} from "./clocks.js";
export {Glissade, GlissadeError, loadGlissade, type GlissadeOptions, type ModuleSource} from "./glissade.js";
export {drawnLength, rowLength, type ObjectId, type Pose, type Quaternion, type StateTimes, type Vector3} from "./layout.js";
export {listMethods, Method, type FrameTimes, type MethodInfo, type MethodOptions} from "./methods.js";
export {Playout, type DrawnPose, type PlayoutOptions, type PlayoutReport} from "./playout.js";
export {createReader, Reader, State} from "./reader.js";
export {Recording, type Diagnosis, type RecordingOptions, type Score} from "./recording.js";
export {Trace, type TraceLine} from "./trace.js";
export {createWriter, Writer} from "./writer.js";
