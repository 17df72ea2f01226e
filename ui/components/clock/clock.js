// Elapsed time, counted in the browser: the server is not asked every second.
const clocks = new WeakMap();
const words = s => s < 60 ? `${s} s` : `${Math.floor(s / 60)} min ${s % 60} s`;

export default function clock({data, parentElement}) {
  const shown = parentElement.querySelector("#elapsed");
  let state = clocks.get(parentElement);
  if (!state || state.id !== data.id) {
    if (state) clearInterval(state.timer);
    state = {id: data.id, from: performance.now() - data.elapsed * 1000};
    const draw = () => {
      const s = Math.floor((performance.now() - state.from) / 1000);
      shown.textContent = s >= data.after ? words(s) : "";
    };
    state.timer = setInterval(draw, 1000);
    clocks.set(parentElement, state);
    draw();
  }
  return () => { clearInterval(state.timer); clocks.delete(parentElement); };
}
