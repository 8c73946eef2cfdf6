/** Pages for readers that the gateway serves next to the API reference: error catalogue and guides. */

const STYLE = `
  body { max-width: 50rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #1b1b1b; background: #fff }
  a { color: #0b4f9e }
  nav { font-size: .9rem }
  h2 { margin: 2rem 0 0; font-size: 1.1rem }
  section h2 { font-family: ui-monospace, monospace }
  h2 span { color: #555; font-weight: normal }
  section:target { outline: 2px solid #0b4f9e; outline-offset: .5rem }
  p { margin: .25rem 0 }
  pre { margin: .5rem 0; padding: .75rem; overflow-x: auto; background: #f3f3f3; font-size: .85rem }
  table { border-collapse: collapse; margin: .5rem 0 }
  th, td { padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid #ccc }
  @media (prefers-color-scheme: dark) {
    body { color: #eee; background: #161616 } a { color: #8ec5ff } h2 span { color: #bbb } pre { background: #242424 } th, td { border-color: #444 }
  }
`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for HTML. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

/** Escapes a text for HTML, with its parts in backticks as code. */
export const withCode = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/** Returns an HTML page. It loads nothing. */
export const htmlPage = (title: string, main: string): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}</title>
  <link rel="icon" href="data:,">
  <style>${STYLE}  </style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
