/** Light and dark, as whoever looks at it has it; from a telephone to a wide screen. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --dim: #5c6570; --paper: #fff; --card: #f5f6f8; --line: #d8dce1;
  --ok: #1a7f37; --attention: #8a5a00; --broken: #c4211d; --bar: #3b6fd4; --lag: #8a63d2; --gap: #f3b3ae; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --dim: #9aa4b0; --paper: #14171b; --card: #1d2126;
  --line: #333a42; --ok: #4cc26a; --attention: #e0a93b; --broken: #ff7b72; --bar: #6f9ceb; --lag: #b294ec; --gap: #6b2f2c; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 3rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
.dim { color: var(--dim); margin: .25rem 0 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: .75rem 0; }
.head { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; }
.verdict { font-weight: 600; }
.ok { color: var(--ok); } .attention { color: var(--attention); } .broken { color: var(--broken); }
code { font: .85rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: .5rem 0 0; white-space: pre-wrap; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: .5rem 1rem; margin: .75rem 0 0; }
dt { color: var(--dim); font-size: .8rem; }
dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1rem; margin-top: 1rem; }
figure { margin: 0; min-width: 0; }
figcaption, .axis { display: flex; justify-content: space-between; gap: 1rem; font-size: .8rem; color: var(--dim); }
.axis { font-variant-numeric: tabular-nums; }
svg { display: block; width: 100%; border-bottom: 1px solid var(--line); }
.plot { height: 6rem; } .strip { height: 1.5rem; }
.bar { fill: var(--bar); } .lag { fill: var(--lag); } .gap { fill: var(--gap); } .hit { fill: transparent; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin-top: .75rem; font-size: .9rem; }
th, td { text-align: left; padding: .25rem 1rem .25rem 0; border-bottom: 1px solid var(--line); white-space: nowrap;
  font-variant-numeric: tabular-nums; }
th { color: var(--dim); font-weight: 500; }
@media (max-width: 40rem) { th, td { white-space: normal; } }
`;
