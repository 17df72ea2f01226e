// Elapsed time, counted in the browser: the server is not asked every second.
const clocks = new WeakMap();
const words = s => {
  const min = Math.floor(s / 60), h = Math.floor(min / 60), days = Math.floor(h / 24);
  if (days) return `${days} ${days === 1 ? "day" : "days"}`;
  if (h) return `${h} h ${min % 60} min`;
  return min ? `${min} min ${s % 60} s` : `${s} s`;
};

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
