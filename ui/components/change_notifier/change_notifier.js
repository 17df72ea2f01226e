// Holds the session's socket and asks for a redraw when it rings. Also the tab's title, what a screen reader hears,
// and where the page lands: it scrolls only when there is something new to see. The focus moves to an answer when it
// comes, unless the person is typing; it never moves to anything that acts.
const connections = new WeakMap();

// What is chosen on a control of how an answer is shown makes that control anew: the new one gets the focus of the old.
// A menu of such a control closes with the choice: the focus goes back to the button that opened it.
const KEPT = '[class*="st-key-tools-"], [class*="st-key-looks-"]';
const IN_MENU = /^menu(item)?$/;
let focused = null;

function controls(container) {
  return [...container.querySelectorAll("button, input, textarea, summary")];
}

document.addEventListener("focusin", event => {
  if (IN_MENU.test(event.target.role)) return;   // the button that opened the menu stays the one to go back to
  const container = event.target.closest(KEPT);
  const key = container && [...container.classList].find(name => /^st-key-(tools|looks)-/.test(name));
  focused = key ? {key, element: event.target, place: controls(container).indexOf(event.target)} : null;
});

document.addEventListener("focusout", event => setTimeout(() => {
  if (!focused?.element.isConnected || document.activeElement !== document.body) return;
  if (IN_MENU.test(event.target.role)) focused.element.focus({preventScroll: true});
}));

// A control also loses the focus while it is drawn anew; that a person left it is known by the click elsewhere alone.
document.addEventListener("pointerdown", event => {
  if (!event.target.closest(`${KEPT}, [role="menu"], [role="menuitem"]`)) focused = null;
}, true);

function refocus(tries = 20) {
  const at = document.activeElement;
  const closing = IN_MENU.test(at?.role);   // a menu may close, without an event, only after the page is drawn
  if (!focused || !tries || (at !== document.body && at !== focused.element && !closing)) return;
  if (at === document.body) {
    const container = document.querySelector(`.${CSS.escape(focused.key)}`);
    const element = focused.element.isConnected ? focused.element : container && controls(container)[focused.place];
    element?.focus({preventScroll: true});
  }
  setTimeout(refocus, 100, tries - 1);   // a drawing may come in several steps
}

function typing() {
  const at = document.activeElement;
  return !!at && (at.isContentEditable || (/^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName) && !!at.value));
}

function land(anchor, smooth) {
  const main = document.querySelector('[data-testid="stMain"]');
  const target = document.querySelector(`.st-key-${CSS.escape(anchor.key)}`);
  if (!main || !target) return false;
  const box = target.getBoundingClientRect(), frame = main.getBoundingClientRect();
  const bottom = document.querySelector('[data-testid="stBottom"]')?.getBoundingClientRect().top ?? frame.bottom;
  const head = document.querySelector(".st-key-head")?.getBoundingClientRect().height ?? 0;
  const top = frame.top + head + 4;
  const room = bottom - top - 20;
  let by = 0;
  if (anchor.at === "start" || box.height > room) by = box.top - top;
  else if (box.bottom > bottom - 16) by = box.bottom - bottom + 16;
  else if (box.top < top) by = box.top - top;
  const answer = anchor.at === "start" && document.querySelector(`.st-key-${CSS.escape(anchor.id)}`);
  if (answer && !typing() && document.activeElement !== answer) {
    answer.tabIndex = -1;
    answer.setAttribute("role", "region");
    answer.setAttribute("aria-label", "Answer");
    answer.focus({preventScroll: true});
  }
  if (Math.abs(by) > 2) main.scrollBy({top: by, behavior: smooth ? "smooth" : "instant"});
  return true;
}

// While the server does not answer, the page says so in its own words: Streamlit's dialog blames the internet.
function away(is) {
  if (is) document.body.dataset.away = "yes"; else delete document.body.dataset.away;
}

export default function changeNotifier({data, parentElement, setTriggerValue}) {
  let state = connections.get(parentElement);
  if (state && state.session !== data.session) {
    state.dead = true;
    state.socket?.close();
    state = null;
  }
  if (!state) {
    state = {session: data.session, seen: data.seen, boot: data.boot, wait: 500, anchored: ""};
    connections.set(parentElement, state);
    const open = () => {
      const url = new URL(`/api/changes/${encodeURIComponent(state.session)}`, location.origin);
      url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
      state.socket = new WebSocket(url);
      state.socket.onmessage = event => {
        const [boot, version] = event.data.split(":");
        if (state.boot !== boot) { location.reload(); return; }   // the server restarted: the next click would be lost
        state.wait = 500;
        away(false);
        const now = Number(version);
        if (now > state.seen) { state.seen = now; state.ring(now); }
      };
      state.socket.onclose = () => {
        if (state.dead) return;
        if (state.wait > 500) away(true);   // a first try has failed
        setTimeout(open, state.wait);
        state.wait = Math.min(state.wait * 1.5, 4000);
      };
    };
    open();
  }
  state.ring = version => setTriggerValue("tick", version);
  if (data.seen > state.seen) state.seen = data.seen;
  const said = parentElement.querySelector("#said");
  if (said.textContent !== data.say) said.textContent = data.say;
  document.title = data.title;
  requestAnimationFrame(() => setTimeout(refocus));   // once this drawing is on the page
  if (data.anchor && data.anchor.id !== state.anchored) {
    const first = state.anchored === "";
    const calm = first || matchMedia("(prefers-reduced-motion: reduce)").matches;
    state.anchored = data.anchor.id;
    let tries = 0;
    const attempt = () => {
      if (state.dead || state.anchored !== data.anchor.id) return;
      const there = land(data.anchor, !calm);
      if (++tries < (there ? 3 : 20)) setTimeout(attempt, there ? 350 : 100);   // again, once editors and charts have their height
    };
    requestAnimationFrame(attempt);
  }
  return () => { state.dead = true; away(false); state.socket?.close(); connections.delete(parentElement); };
}
