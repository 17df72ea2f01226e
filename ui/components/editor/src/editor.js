// The code editor: SQL and Python, read-only for reading code, with a diff against the proposal when editing.
// It never reaches the network; colours come from the page's theme, so they hold WCAG AA where the theme does.
import {EditorState} from "@codemirror/state";
import {EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers} from "@codemirror/view";
import {defaultKeymap, history, historyKeymap, indentWithTab} from "@codemirror/commands";
import {HighlightStyle, LanguageSupport, bracketMatching, indentOnInput, syntaxHighlighting} from "@codemirror/language";
import {autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap} from "@codemirror/autocomplete";
import {StandardSQL, sql} from "@codemirror/lang-sql";
import {python, pythonLanguage} from "@codemirror/lang-python";
import {unifiedMergeView} from "@codemirror/merge";
import {parseMixed} from "@lezer/common";
import {tags as t} from "@lezer/highlight";

const colours = HighlightStyle.define([
  {tag: [t.keyword, t.operatorKeyword, t.controlKeyword, t.definitionKeyword, t.moduleKeyword], color: "var(--st-violet-text-color)"},
  {tag: [t.string, t.special(t.string)], color: "var(--st-green-text-color)"},
  {tag: [t.number, t.bool, t.null], color: "var(--st-orange-text-color)"},
  {tag: [t.comment], color: "var(--st-gray-text-color)", fontStyle: "italic"},
  {tag: [t.function(t.variableName), t.function(t.definition(t.variableName)), t.typeName, t.className], color: "var(--st-blue-text-color)"},
]);

const look = EditorView.theme({
  "&": {fontSize: "var(--st-code-font-size, 13px)", color: "var(--st-text-color)", backgroundColor: "var(--st-code-background-color)", borderRadius: "var(--st-base-radius)", border: "1px solid transparent"},
  "&.cm-focused": {outline: "2px solid var(--st-primary-color)", outlineOffset: "1px"},
  ".cm-content": {fontFamily: "var(--st-code-font, monospace)", caretColor: "var(--st-text-color)", padding: "10px 0"},
  ".cm-line": {padding: "0 14px 0 6px"},
  ".cm-gutters": {backgroundColor: "transparent", color: "var(--st-gray-text-color)", border: "none", paddingLeft: "6px"},
  ".cm-activeLine, .cm-activeLineGutter": {backgroundColor: "transparent"},
  ".cm-scroller": {maxHeight: "max(180px, min(440px, 36vh))", overflow: "auto", lineHeight: "1.6"},
  ".cm-tooltip": {backgroundColor: "var(--st-background-color)", color: "var(--st-text-color)", border: "1px solid var(--st-border-color)", borderRadius: "6px"},
  ".cm-tooltip-autocomplete ul li[aria-selected]": {backgroundColor: "var(--st-primary-color)", color: "#fff"},
  ".cm-deletedChunk": {backgroundColor: "var(--st-red-background-color)"},
  "&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine": {backgroundColor: "var(--st-green-background-color)"},
  "&.cm-merge-b .cm-changedText": {background: "none", borderBottom: "2px solid var(--st-green-text-color)"},
  ".cm-collapsedLines": {color: "var(--st-gray-text-color)", background: "var(--st-secondary-background-color)", borderRadius: "4px"},
  ".cm-collapsedLines:before, .cm-collapsedLines:after": {content: "'⋯'"},
  ".cm-deletedChunk .cm-deletedText": {background: "none", textDecoration: "line-through"},
});
const editing = EditorView.theme({"&": {border: "1px solid var(--st-border-color)", backgroundColor: "var(--st-background-color)"}});

// A SQL step is the cell  name = query("""...""") : colour the SQL inside as SQL.
const mixed = pythonLanguage.configure({
  wrap: parseMixed((node, input) => {
    if (node.name !== "String") return null;
    const call = node.node.parent?.parent;
    if (call?.name !== "CallExpression" || !call.firstChild || input.read(call.firstChild.from, call.firstChild.to) !== "query") return null;
    const open = /^[rRbBuU]*("""|'''|"|')/.exec(input.read(node.from, Math.min(node.to, node.from + 6)));
    if (!open) return null;
    const from = node.from + open[0].length, to = node.to - open[1].length;
    return from < to ? {parser: StandardSQL.language.parser, overlay: [{from, to}]} : null;
  }),
});

function languageOf(data) {
  if (data.language === "sql") return sql({schema: data.schema ?? {}, upperCaseKeywords: true});
  return new LanguageSupport(mixed, [python().support]);
}

function build(state, root, data, submit) {
  const extensions = [
    lineNumbers(), drawSelection(), bracketMatching(), syntaxHighlighting(colours), look, languageOf(data),
    EditorView.contentAttributes.of({"aria-label": data.label ?? "Code"}),
  ];
  if (data.wrap) extensions.push(EditorView.lineWrapping);
  if (data.readonly) {
    extensions.push(EditorState.readOnly.of(true), EditorView.editable.of(false), EditorView.contentAttributes.of({tabindex: "0", "aria-readonly": "true", role: "textbox", "aria-multiline": "true"}));
  } else {
    extensions.push(
      editing, history(), indentOnInput(), closeBrackets(), autocompletion(), highlightActiveLine(),
      keymap.of([{key: "Mod-Enter", run: submit}, ...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
      EditorView.updateListener.of(update => {
        if (!update.docChanged) return;
        clearTimeout(state.timer);
        state.timer = setTimeout(() => state.push(update.state.doc.toString()), 300);
      }),
      EditorView.domEventHandlers({blur: () => { clearTimeout(state.timer); state.push(state.view.state.doc.toString()); }}),
    );
  }
  if (data.original != null) extensions.push(unifiedMergeView({original: data.original, mergeControls: false, gutter: true, collapseUnchanged: data.readonly ? {margin: 2} : undefined}));
  return new EditorView({
    state: EditorState.create({doc: data.value ?? "", extensions}),
    parent: root,
    root: root.getRootNode(),
  });
}

// Code that is approved must be seen whole: where a part is below the fold, that is said, and one click shows it. The
// fold is between two lines: half a line looks like a fault.
function offerAll(state, root) {
  const {scrollDOM, contentDOM, defaultLineHeight} = state.view;
  if (scrollDOM.scrollHeight <= scrollDOM.clientHeight + 4) return;
  const above = parseFloat(getComputedStyle(contentDOM).paddingTop);
  scrollDOM.style.maxHeight = `${above + Math.floor((scrollDOM.clientHeight - above) / defaultLineHeight) * defaultLineHeight}px`;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = `Show all ${state.view.state.doc.lines} lines`;
  button.style.cssText = "font: inherit; font-size: 0.85rem; margin-top: 6px; padding: 2px 10px; cursor: pointer; color: var(--st-text-color); background: var(--st-background-color); border: 1px solid var(--st-border-color); border-radius: 999px";
  button.onclick = () => { scrollDOM.style.maxHeight = "none"; button.remove(); };
  root.append(button);
}

const live = new WeakMap();

export default function render({data, parentElement, setStateValue, setTriggerValue}) {
  const root = parentElement.querySelector("#editor");
  let state = live.get(parentElement);
  if (state && (state.id !== data.id || (data.readonly && state.value !== data.value))) {
    clearTimeout(state.timer);
    state.view.destroy();
    state = null;
  }
  if (!state) {
    state = {id: data.id, value: data.value, timer: null, sent: data.value ?? ""};
    root.replaceChildren();
    state.view = build(state, root, data, () => {
      clearTimeout(state.timer);
      const code = state.view.state.doc.toString();
      state.push(code);
      state.run(code);
      return true;
    });
    live.set(parentElement, state);
    if (data.focus) requestAnimationFrame(() => { if (live.get(parentElement) === state) state.view.focus(); });
    if (data.readonly) requestAnimationFrame(() => { if (live.get(parentElement) === state) offerAll(state, root); });
  }
  state.push = code => { if (code !== state.sent) { state.sent = code; setStateValue("code", code); } };
  state.run = code => setTriggerValue("run", code);
  return () => { clearTimeout(state.timer); state.view.destroy(); live.delete(parentElement); };
}
