// The entities of a server: a report of its own inside the report, drawn with the same parts.

function makeRemoteReport(report) {
    const {remote} = report;
    if (!remote || !Array.isArray(remote.results) || remote.results.length === 0) return null;
    const indexed = indexReport({...report, ...remote});
    return {
        ...indexed,
        ours: indexed.methods.find((method) => method.name === "chase") ?? indexed.ours,
        colours: report,
        titleId: "remote-title",
        marksPops: true,
        shown: ["newest", "predict", "playout"],
        viewSeconds: 4,
    };
}

// What there is to repaint, and nothing without such results.
function drawRemote(report) {
    const remote = makeRemoteReport(report);
    if (!remote) return [];
    document.getElementById("remote").hidden = false;
    document.getElementById("remote-reference").textContent = remote.reference.what;
    const matrix = document.getElementById("remote-matrix");
    const redraw = () => {
        document.getElementById("remote-condition-what").textContent = condition().what;
        hideDetail();
        matrix.replaceChildren(drawMatrix(remote, condition()));
    };
    const condition = connectCondition(remote, redraw, document.getElementById("remote-condition"));
    const hideDetail = showDetails(matrix, document.getElementById("detail"), remote, condition);
    walkWithKeys(matrix);
    redraw();
    return drawScenarios(remote, document.getElementById("remote-scenario-list"));
}
