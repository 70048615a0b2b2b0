"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const message = document.getElementById("message");
  const readout = document.getElementById("readout");
  const words = [...message.querySelectorAll(".w[data-i]")];
  const byPlace = new Map(words.map((word) => [Number(word.dataset.i), word]));
  const state = { method: data.methods.length ? data.methods[0].key : "", layer: 0, head: -1, track: 0, chosen: -1 };
  const heads = data.heads ? decodeHeads(data.heads) : null;

  /* ---- numbers ---- */
  function decodeHeads(packed) {
    const bytes = Uint8Array.from(atob(packed.bytes), (letter) => letter.charCodeAt(0));
    const cells = packed.size * packed.size;
    const one = (layer, head) => {
      const start = (layer * packed.heads + head) * cells;
      const top = packed.tops[layer * packed.heads + head] / 255;
      return Float32Array.from(bytes.subarray(start, start + cells), (byte) => byte * top);
    };
    const mean = (layer) => {
      const sum = new Float32Array(cells);
      for (let head = 0; head < packed.heads; head++) one(layer, head).forEach((v, i) => { sum[i] += v / packed.heads; });
      return sum;
    };
    const kept = new Map();
    return {
      size: packed.size,
      weights(layer, head) {
        const key = `${layer} ${head}`;
        if (!kept.has(key)) kept.set(key, head < 0 ? mean(layer) : one(layer, head));
        return kept.get(key);
      },
    };
  }
  function headName() {
    return `layer ${state.layer + 1}, ${state.head < 0 ? "mean of heads" : `head ${state.head + 1}`}`;
  }
  function headValues() {
    const weights = heads.weights(state.layer, state.head);
    const size = heads.size;
    if (state.chosen >= 0) return Array.from(weights.subarray(state.chosen * size, (state.chosen + 1) * size));
    const received = new Array(size).fill(0);
    weights.forEach((value, i) => { received[i % size] += value / size; });
    return received;
  }
  function shown() {
    if (state.method === "heads") {
      const from = state.chosen >= 0 ? `“${data.tokens[state.chosen]}” looks at` : "looked at, on average";
      return { name: `${headName()}: ${from}`, signed: false, values: headValues(), low: 0 };
    }
    if (state.method === "gates") {
      const track = data.gates[state.track];
      return { name: track.name, signed: false, values: track.kept, low: Math.min(...track.kept) };
    }
    const method = data.methods.find((one) => one.key === state.method);
    return method ? { ...method, low: 0 } : { name: "", signed: false, values: [], low: 0 };
  }
  const number = (value, signed) => (signed && value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(value).toFixed(3);
  const side = (value, signed) => (!signed ? "look" : value >= 0 ? "for" : "against");
  function sense(value, signed) {
    if (!signed) return "";
    return value > 0 ? ` for ${data.route}` : value < 0 ? ` against ${data.route}` : "";
  }

  /* ---- elements, always through textContent ---- */
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  /* ---- painting ---- */
  function paint() {
    const { values, signed, low } = shown();
    const top = Math.max(...values.map((v) => Math.abs(v - low)), 1e-12);
    for (const word of words) {
      const value = values[Number(word.dataset.i)] ?? 0;
      const share = Math.abs(value - low) / top;
      word.classList.remove("for", "against", "look");
      word.classList.add(side(value, signed));
      word.style.setProperty("--a", share.toFixed(3));
      word.dataset.level = share < 0.12 ? 0 : share < 0.35 ? 1 : share < 0.7 ? 2 : 3;
    }
    describe();
    rank(values, signed);
    drawMap();
  }
  function describe() {
    const method = data.methods.find((one) => one.key === state.method);
    document.getElementById("note").textContent = method ? method.note : data.notes[state.method] ?? "";
    document.getElementById("caution").hidden = !["attention", "rollout", "heads"].includes(state.method);
    document.getElementById("key-signed").hidden = !shown().signed;
    document.getElementById("key-look").hidden = shown().signed;
    for (const verdict of document.querySelectorAll(".verdict")) verdict.hidden = verdict.dataset.method !== state.method;
    for (const pick of document.querySelectorAll("[data-for]")) pick.hidden = pick.dataset.for !== state.method;
    document.getElementById("ranked-title").textContent = `Strongest words: ${shown().name}`;
  }
  function rank(values, signed) {
    const order = values.map((_, i) => i).sort((a, b) => Math.abs(values[b]) - Math.abs(values[a]));
    const lists = signed
      ? [[`for ${data.route}`, order.filter((i) => values[i] > 0)], [`against ${data.route}, for ${data.against}`, order.filter((i) => values[i] < 0)]]
      : [["most", order.slice(0, 8)], ["next", order.slice(8, 16)]];
    const top = Math.abs(values[order[0]] ?? 1) || 1;
    document.getElementById("ranked").replaceChildren(...lists.map(([title, places]) => table(title, places.slice(0, 8), values, signed, top)));
  }
  function table(title, places, values, signed, top) {
    const rows = places.map((i) => {
      const bar = make("i", { class: side(values[i], signed), style: `width:${(100 * Math.abs(values[i]) / top).toFixed(1)}%` });
      return make("tr", {}, make("th", { scope: "row" }, data.tokens[i]), make("td", { class: "bar" }, bar), make("td", { class: "number" }, number(values[i], signed)));
    });
    if (!rows.length) rows.push(make("tr", {}, make("td", {}, "none")));
    return make("table", {}, make("caption", {}, title), make("tbody", {}, ...rows));
  }

  /* ---- one word ---- */
  function tell(place) {
    const current = shown();
    const value = current.values[place];
    if (value === undefined) return;
    const rankOf = current.values.filter((v) => Math.abs(v) > Math.abs(value)).length + 1;
    const written = byPlace.get(place)?.textContent.trim() ?? "";
    const readAs = data.tokens[place] !== written.toLowerCase() ? `, read as ${data.tokens[place]}` : "";
    const head = make("div", {}, make("b", {}, written || data.tokens[place]), readAs, make("span", { class: "now" }, `  ${number(value, current.signed)}${sense(value, current.signed)}`), make("span", { class: "soft" }, ` · ${rankOf} of ${current.values.length} by ${current.name}`));
    const others = make("div", { class: "values soft" });
    for (const method of data.methods) {
      if (method.key !== state.method) others.append(make("span", {}, `${method.name} ${number(method.values[place], method.signed)}`));
    }
    if (data.gates.length && state.method !== "gates") others.append(make("span", {}, `${data.gates[state.track].name} ${data.gates[state.track].kept[place].toFixed(2)}`));
    readout.replaceChildren(head, others);
    for (const line of document.querySelectorAll(".track .here")) {
      const x = ((place + 0.5) / data.tokens.length) * 100;
      line.setAttribute("x1", x); line.setAttribute("x2", x); line.removeAttribute("visibility");
    }
  }
  function choose(place, focus) {
    byPlace.get(state.chosen)?.classList.remove("chosen");
    state.chosen = place;
    const word = byPlace.get(place);
    if (word) {
      for (const other of words) other.tabIndex = -1;
      word.tabIndex = 0;
      word.classList.add("chosen");
      if (focus) word.focus();
      tell(place);
    }
    if (state.method === "heads") paint(); else drawMap();
  }
  function neighbour(key, at) {
    const { values } = shown();
    const order = words.map((_, i) => i).sort((a, b) => Math.abs(values[words[b].dataset.i]) - Math.abs(values[words[a].dataset.i]));
    const ranked = order.indexOf(at);
    switch (key) {
      case "ArrowRight": return at + 1;
      case "ArrowLeft": return at - 1;
      case "ArrowDown": return order[ranked + 1];
      case "ArrowUp": return order[ranked - 1];
      case "Home": return 0;
      case "End": return words.length - 1;
      default: return undefined;
    }
  }
  message.addEventListener("pointerover", (event) => {
    const word = event.target.closest(".w[data-i]");
    if (word) tell(Number(word.dataset.i));
  });
  message.addEventListener("click", (event) => {
    const word = event.target.closest(".w[data-i]");
    if (word) choose(Number(word.dataset.i), true);
  });
  message.addEventListener("focusin", (event) => {
    const word = event.target.closest(".w[data-i]");
    if (word && state.chosen !== Number(word.dataset.i)) choose(Number(word.dataset.i), false);
  });
  message.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { choose(-1, false); return; }
    const at = words.indexOf(event.target);
    const next = at < 0 ? undefined : words[neighbour(event.key, at)];
    if (next) { event.preventDefault(); choose(Number(next.dataset.i), true); }
  });

  /* ---- the attention map ---- */
  const canvas = document.getElementById("map");
  const mapReadout = document.getElementById("map-readout");
  const cross = { row: -1, column: -1 };
  let layout = null;
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  function drawMap() {
    if (!canvas || !heads) return;
    const size = heads.size;
    const room = canvas.parentElement.clientWidth;
    const labelled = (room - 84) / size >= 11;
    const margin = labelled ? 84 : 0;
    const cell = Math.max(3, Math.min(26, Math.floor((room - margin) / size)));
    const side = margin + cell * size;
    const dots = window.devicePixelRatio || 1;
    canvas.width = side * dots; canvas.height = side * dots;
    canvas.style.width = canvas.style.height = `${side}px`;
    const pen = canvas.getContext("2d");
    pen.setTransform(dots, 0, 0, dots, 0, 0);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(mapImage(size), margin, margin, cell * size, cell * size);
    pen.strokeStyle = colour("--line"); pen.strokeRect(margin + 0.5, margin + 0.5, cell * size - 1, cell * size - 1);
    if (labelled) drawLabels(pen, size, margin, cell);
    layout = { margin, cell, size };
    drawCross(pen);
  }
  function mapImage(size) {
    const weights = heads.weights(state.layer, state.head);
    const top = weights.reduce((a, b) => Math.max(a, b), 1e-9);
    const [red, green, blue] = colour("--look").split(" ").map(Number);
    const picture = document.createElement("canvas");
    picture.width = picture.height = size;
    const pen = picture.getContext("2d");
    const image = pen.createImageData(size, size);
    weights.forEach((value, i) => image.data.set([red, green, blue, Math.round(255 * Math.pow(value / top, 0.6))], 4 * i));
    pen.putImageData(image, 0, 0);
    return picture;
  }
  function drawLabels(pen, size, margin, cell) {
    pen.font = `${Math.min(12, cell)}px system-ui, sans-serif`;
    pen.fillStyle = colour("--soft"); pen.textBaseline = "middle"; pen.textAlign = "right";
    const cut = (text) => (text.length > 11 ? `${text.slice(0, 10)}…` : text);
    for (let i = 0; i < size; i++) {
      pen.fillText(cut(data.tokens[i]), margin - 5, margin + (i + 0.5) * cell);
      pen.save();
      pen.translate(margin + (i + 0.5) * cell, margin - 5); pen.rotate(-Math.PI / 2); pen.textAlign = "left";
      pen.fillText(cut(data.tokens[i]), 0, 0);
      pen.restore();
    }
  }
  function drawCross(pen) {
    const row = cross.row >= 0 ? cross.row : state.chosen;
    if (row < 0) return;
    const { margin, cell, size } = layout;
    pen.strokeStyle = colour("--ink"); pen.lineWidth = 1.5;
    pen.strokeRect(margin, margin + row * cell, cell * size, cell);
    if (cross.column >= 0) pen.strokeRect(margin + cross.column * cell, margin + row * cell, cell, cell);
  }
  function pointMap(row, column) {
    const size = heads.size;
    cross.row = Math.max(0, Math.min(size - 1, row));
    cross.column = Math.max(0, Math.min(size - 1, column));
    drawMap();
    const value = heads.weights(state.layer, state.head)[cross.row * size + cross.column];
    mapReadout.textContent = `In ${headName()}, “${data.tokens[cross.row]}” gives ${(100 * value).toFixed(1)} % of its look to “${data.tokens[cross.column]}”.`;
  }
  if (canvas) {
    canvas.addEventListener("pointermove", (event) => {
      const column = Math.floor((event.offsetX - layout.margin) / layout.cell);
      const row = Math.floor((event.offsetY - layout.margin) / layout.cell);
      if (row >= 0 && column >= 0 && row < layout.size && column < layout.size) pointMap(row, column);
    });
    canvas.addEventListener("pointerleave", () => { cross.row = cross.column = -1; drawMap(); });
    canvas.addEventListener("keydown", (event) => {
      const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (!step) return;
      event.preventDefault();
      pointMap(Math.max(cross.row, 0) + step[0], Math.max(cross.column, 0) + step[1]);
    });
    new ResizeObserver(drawMap).observe(canvas.parentElement);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawMap);
  }

  /* ---- switches ---- */
  document.addEventListener("change", (event) => {
    const control = event.target;
    if (control.name === "method") state.method = control.value;
    else if (control.dataset.pick) {
      state[control.dataset.pick] = Number(control.value);
      for (const twin of document.querySelectorAll(`[data-pick="${control.dataset.pick}"]`)) twin.value = control.value;
    } else return;
    paint();
    if (state.chosen >= 0) tell(state.chosen);
  });
  for (const track of document.querySelectorAll(".track")) {
    track.addEventListener("pointermove", (event) => {
      const place = Math.floor((event.offsetX / track.clientWidth) * data.tokens.length);
      if (place >= 0 && place < data.tokens.length) tell(place);
    });
  }
  if (words.length) words[0].tabIndex = 0;
  paint();
})();
