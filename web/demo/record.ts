// Saves what was recorded, and shows what the doctor says of it.
import type {Diagnosis} from "../src/index.js";

export function saveText(name: string, text: string): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], {type: "application/x-ndjson"}));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000); // Some browsers begin to read only later.
}

function element(name: string, text: string, className = ""): HTMLElement {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
}

/** One side of the doctor's answer. */
export function showDiagnosis(target: HTMLElement, method: string, {healthy, findings, notes}: Diagnosis): void {
    const verdict = healthy ? "healthy" : findings.length === 0 ? "nothing to name" : `${findings.length} found`;
    const cards = findings.map(({name, what, evidence, cure}) => {
        const card = element("article", "");
        card.append(
            element("h4", name.replaceAll("_", " ")), element("p", what), element("p", evidence, "evidence"),
            element("p", cure, "cure"));
        return card;
    });
    const remarks = notes.map((note) => element("p", note, "note"));
    target.replaceChildren(element("h3", `${method}: ${verdict}`), ...cards, ...remarks);
}

/** Files come by dropping them anywhere, or by the input, which works from the keyboard. */
export function acceptTraces(input: HTMLInputElement, open: (name: string, text: string) => void): void {
    const take = async (file: File | undefined): Promise<void> => {
        if (file) open(file.name, await file.text());
    };
    input.addEventListener("change", () => {
        void take(input.files?.[0]);
        input.value = ""; // The same file may be chosen again.
    });
    addEventListener("dragover", (event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        document.body.classList.add("dropping");
    });
    addEventListener("dragleave", (event) => {
        if (!event.relatedTarget) document.body.classList.remove("dropping");
    });
    addEventListener("drop", (event) => {
        event.preventDefault();
        document.body.classList.remove("dropping");
        void take(event.dataTransfer?.files[0]);
    });
}
