// The page's end: one Playout, one call a frame.
import {Channel, loadGlissade, Playout} from "../dist/index.js";

const canvas = document.querySelector("canvas");
const picture = canvas.getContext("2d");
const output = document.querySelector("output");

const glissade = await loadGlissade({wasm: new URL("../dist/glissade-core.wasm", import.meta.url)});
const channel = new Channel(glissade, {capacity: 16});
const worker = new Worker(new URL("./worker.js", import.meta.url), {type: "module"});
worker.postMessage(channel.ticket, channel.transfer);

// What most pages draw: the last state that a message brought.
let newest = null;
worker.onmessage = ({data}) => { newest = data; };

const playout = new Playout(channel);

function drawBox([x, y], top) {
    picture.fillRect(400 + x * 30 - 20, top - y * 10 - 20, 40, 40);
}

function frame(stamp) {
    playout.present(performance.now(), stamp);
    picture.clearRect(0, 0, canvas.width, canvas.height);
    picture.fillStyle = "#d5502a";
    if (newest) drawBox(newest, 70);
    picture.fillStyle = "#0f8a8a";
    for (let row = 0; row < playout.size; ++row) drawBox(playout.poses.subarray(row * 8 + 1, row * 8 + 4), 180);
    const {delay} = playout.report();
    output.textContent = `${channel.reason}; ${delay.toFixed(0)} ms behind.`;
    requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
