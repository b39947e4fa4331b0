// The page's end: one Playout, one call a frame.
import {Channel, loadGlissade, Playout} from "../dist/index.js";

const canvas = document.querySelector("canvas");
const picture = canvas.getContext("2d");
const output = document.querySelector("output");

// [start]
const glissade = await loadGlissade({wasm: new URL("../dist/glissade-core.wasm", import.meta.url)});
const channel = new Channel(glissade, {capacity: 16});
const worker = new Worker(new URL("./worker.js", import.meta.url), {type: "module"});
worker.postMessage(channel.ticket, channel.transfer);
const playout = new Playout(channel);
// [/start]

// The box above is what most pages draw: the last state that a message brought.
let newest = [0, 0, 0];
worker.onmessage = ({data}) => { newest = data; };

function drawBox(colour, top, [x, y]) {
    picture.fillStyle = colour;
    picture.fillRect(400 + x * 30 - 20, top - y * 10 - 20, 40, 40);
}

function drawPicture() {
    picture.clearRect(0, 0, canvas.width, canvas.height);
    drawBox("#d5502a", 70, newest);
    // Of each object 8 numbers: its id, its position, its rotation.
    for (let row = 0; row < playout.size; ++row) drawBox("#0f8a8a", 180, playout.poses.subarray(row * 8 + 1));
    output.textContent = `${channel.reason}; ${playout.report().delay.toFixed(0)} ms behind.`;
}

// [frame]
function frame(stamp) {
    playout.present(performance.now(), stamp);
    drawPicture();
    requestAnimationFrame(frame);
}
// [/frame]
requestAnimationFrame(frame);
