/** Light and dark, by the reader's own setting. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#f6f5f2, #17181a);
  --card: light-dark(#ffffff, #212327);
  --ink: light-dark(#23262b, #ebe9e4);
  --faded: light-dark(#5d626b, #a9adb5);
  --line: light-dark(#dfdcd4, #373a40);
  --accent: light-dark(#1f5f4a, #7fd1b2);
  --on-accent: light-dark(#ffffff, #10241c);
  --warn: light-dark(#9a3412, #fdba74);
  --mono: ui-monospace, 'SF Mono', Menlo, Consolas, monospace;
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
header, main, footer { margin-inline: auto; max-width: 80rem; padding-inline: clamp(1rem, 4vw, 2.5rem); }
header { padding-block: 2rem 0.5rem; }
footer { color: var(--faded); padding-block: 1rem 3rem; }
h1, h2, h3 { line-height: 1.2; margin: 0; text-wrap: balance; }
h1 { font-size: 1.75rem; }
h2 { font-size: 1.2rem; margin-block: 2.25rem 0.75rem; }
h3 { font-size: 1rem; }
p { margin-block: 0.35rem; max-width: 70ch; }
a { color: var(--accent); text-underline-offset: 0.2em; }
code { font-family: var(--mono); font-size: 0.9em; overflow-wrap: anywhere; }
.faded { color: var(--faded); }
.warn { color: var(--warn); font-weight: 600; }
.skip { position: absolute; left: 1rem; top: -4rem; background: var(--card); padding: 0.5rem 1rem; }
.skip:focus { top: 1rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.tiles { display: grid; gap: 0.75rem; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); margin: 1.25rem 0 0; padding: 0; }
.tiles div, .card { background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem; padding: 0.85rem 1rem; }
.tiles dt { color: var(--faded); font-size: 0.9rem; }
.tiles dd { font-size: 1.6rem; font-variant-numeric: tabular-nums; font-weight: 600; margin: 0; }
.cards { display: grid; gap: 0.75rem; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); }
.card ul { list-style: none; margin: 0.5rem 0 0; padding: 0; }
.card li { align-items: baseline; border-top: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; justify-content: space-between; padding-block: 0.35rem; }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: 0.5rem 0.85rem; text-align: left; vertical-align: top; }
th { color: var(--faded); font-size: 0.85rem; font-weight: 600; white-space: nowrap; }
tbody tr { border-top: 1px solid var(--line); }
td.number, th.number { font-variant-numeric: tabular-nums; text-align: right; }
td time { font-variant-numeric: tabular-nums; white-space: nowrap; }
td { overflow-wrap: anywhere; min-width: 6rem; }
td.number { min-width: 0; white-space: nowrap; }
.tag { border: 1px solid var(--line); border-radius: 1rem; display: inline-block; font-size: 0.85rem; padding: 0 0.6rem; white-space: nowrap; }
.tag.yes { border-color: var(--accent); color: var(--accent); }
.tag.wait { border-color: var(--warn); color: var(--warn); }
summary { cursor: pointer; }
pre { font: 0.85rem/1.45 var(--mono); margin: 0.35rem 0 0; white-space: pre-wrap; }
form { margin: 0; }
button { border: 1px solid var(--line); border-radius: 0.4rem; font: inherit; min-height: 2.5rem; padding: 0.3rem 0.7rem; }
button { background: var(--card); color: var(--accent); cursor: pointer; font-weight: 600; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.quick { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-block: 0.75rem; }
.plain { list-style: none; margin: 0; }
.plain li { align-items: center; display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; justify-content: space-between; padding-block: 0.35rem; }
`
