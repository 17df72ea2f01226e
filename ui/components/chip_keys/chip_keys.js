// Keys of the chips. An opened chip stands at the end of the document, so the focus is brought there and back again.
const triggers = new Map();
const CHIP = '[class*="st-key-chip-"]';
const OPEN = '[data-testid="stPopoverBody"]';
const LISTED_MS = 500, PATIENCE_MS = 5000;
let opened = null;

const classOf = (element, prefix) => [...element.classList].find(name => name.startsWith(prefix));
const nameOf = chip => classOf(chip, "st-key-chip-").replace(/^st-key-chip-(set|empty|unread)-/, "");
const barOf = chip => chip.closest('[class*="st-key-chips-"]');
const chipNamed = name => [...document.querySelectorAll(CHIP)].find(chip => nameOf(chip) === name);

function enter(name, tries = 40) {
  const field = document.querySelector(`${OPEN} input`);
  if (field) field.focus({preventScroll: true});
  else if (tries) setTimeout(enter, 50, name, tries - 1);
}

function leave(tries = 40) {
  if (!opened || !tries) return;
  const at = document.activeElement;
  if (!document.querySelector(OPEN) && (at === document.body || !at.isConnected)) {
    const button = chipNamed(opened)?.querySelector("button");
    if (button) { button.focus({preventScroll: true}); opened = null; return; }
  }
  setTimeout(leave, 50, tries - 1);
}

// Enter chooses the first of what was typed: once the page has listed that, and not what was listed before.
function chooseFirst(open, since = Date.now()) {
  const passed = Date.now() - since;
  const isDrawn = document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "notRunning";
  const first = open.querySelector('[class*="st-key-choose-"] button');
  if (passed > LISTED_MS && isDrawn && first) first.click();
  else if (passed < PATIENCE_MS && open.isConnected) setTimeout(chooseFirst, 50, open, since);
}

document.addEventListener("click", event => {
  const chip = event.target.closest(CHIP);
  if (chip && event.target.closest("button")) {
    opened = nameOf(chip);
    if (event.detail === 0 || matchMedia("(pointer: fine)").matches) enter(opened);  // a phone would show its keyboard
  } else if (event.target.closest(OPEN)) leave();
  else opened = null;
});

document.addEventListener("keydown", event => {
  if (event.key === "Escape" && opened) { leave(); return; }
  const open = event.target.matches("input[type=text]") && !event.isComposing && event.target.closest(OPEN);
  if (event.key === "Enter" && open) { chooseFirst(open); return; }
  const chip = event.target.closest(CHIP);
  if (!chip || event.altKey || event.ctrlKey || event.metaKey) return;
  const bar = barOf(chip), chips = [...bar.querySelectorAll(CHIP)], at = chips.indexOf(chip);
  const next = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: chips.length - 1}[event.key];
  if (next !== undefined) chips[Math.max(0, Math.min(next, chips.length - 1))].querySelector("button").focus();
  else if (event.key === "ArrowDown") event.target.click();
  else if (event.key === "Backspace" || event.key === "Delete") {
    opened = nameOf(chip);  // it is drawn anew
    triggers.get(classOf(bar, "st-key-chips-"))?.(opened);
    leave();
  }
  else return;
  event.preventDefault();
});

export default function chipKeys({data, setTriggerValue}) {
  const bar = `st-key-${data.bar}`;
  triggers.set(bar, name => setTriggerValue("drop", name));
  return () => triggers.delete(bar);
}
