/** Faults as an HTML page, for users who follow a link in a browser. */
import { escapeHtml } from '@suite/mail';
import { PAGE_STYLE, pageHeaders } from '../runtime/page-headers.ts';

/** Returns the headers and the HTML of a page with a fault message. */
export const faultPage = (message: string) => ({
  headers: {
    ...pageHeaders({ script: '', style: PAGE_STYLE }),
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex',
  },
  html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Link not available</title><style>${PAGE_STYLE}</style></head>
<body><main><h1>This link cannot be opened</h1><p>${escapeHtml(message)}</p></main></body></html>
`,
});
