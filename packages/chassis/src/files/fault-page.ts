/** Faults as a page, for readers who follow a link in a browser. */
import { pageHeaders } from '../runtime/page-headers.ts';

const STYLE =
  'body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem; color: #1f2933; }';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!);

/** Returns the headers and the text of a page with the message of a fault. */
export const faultPage = (message: string) => ({
  headers: { ...pageHeaders({ script: '', style: STYLE }), 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' },
  html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Link not available</title><style>${STYLE}</style></head>
<body><main><h1>This link cannot be opened</h1><p>${escaped(message)}</p></main></body></html>
`,
});
