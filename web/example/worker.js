// The simulation's end: an absolute schedule, and one publish a tick.
import {createWriter, TickPacer} from "../dist/index.js";

// A box that swings; yours is a physics engine.
function swing(time) {
    const angle = time / 1000;
    return {position: [10 * Math.sin(angle), 0, 0], velocity: [10 * Math.cos(angle), 0, 0]};
}

// [worker]
onmessage = async ({data: ticket}) => {
    const writer = await createWriter(ticket);
    const pacer = new TickPacer(writer.glissade, {rate: 20});
    const box = writer.add(swing(0));
    const loop = () => {
        for (const step of pacer.wake(writer.now())) {
            writer.move(box, swing(step.time));
            writer.publish(step);
            postMessage(swing(step.time).position); // For the box above; yours needs no message.
        }
        setTimeout(loop, pacer.nextDue - writer.now());
    };
    loop();
};
// [/worker]
