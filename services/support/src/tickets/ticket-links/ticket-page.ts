/** Ticket page for requesters who follow an e-mail link in a browser. */
import type { ResponseWriter } from '@suite/chassis/operations';
import { PAGE_STYLE, pageHeaders } from '@suite/chassis/runtime';
import { escapeHtml } from '@suite/mail';
import type { z } from 'zod';
import type { LinkedTicket } from './linked-ticket.schema.ts';

type PageTicket = z.output<typeof LinkedTicket>;
type PageMessage = Pick<PageTicket['thread'][number], 'body' | 'attachments'> & { name: string; at: string };

/** Runs in the browser: sends the reply as JSON, then shows the ticket again. */
const SCRIPT = `
const form = document.forms[0];
const status = document.getElementById('status');
form.hidden = false;
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = form.querySelector('button');
  button.disabled = true;
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ body: form.elements.body.value });
  const answer = await fetch(location.pathname + '/reply', { method: 'POST', headers, body }).catch(() => undefined);
  if (answer?.ok) return location.reload();
  const { message } = (await answer?.json().catch(() => undefined)) ?? {};
  status.textContent = message ?? 'The server does not respond. Try again in a moment.';
  button.disabled = false;
});
`;

const STYLE = `
${PAGE_STYLE}
article { border-top: 1px solid #c9d1d9; padding: .75rem 0; }
article header, dl { color: #56616d; font-size: .9rem; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; margin: .25rem 0; }
textarea, button { font: inherit; width: 100%; padding: .5rem; margin: .5rem 0; box-sizing: border-box; }
`;

const STATUS: Readonly<Record<string, string>> = {
  open: 'Open',
  waiting_for_you: 'Waiting for your reply',
  resolved: 'Resolved',
  closed: 'Closed',
};

const messageHtml = ({ name, at, body, attachments }: PageMessage): string => {
  const files = attachments.map(
    ({ name: file, url }) => `<li><a href="${escapeHtml(url)}">${escapeHtml(file)}</a></li>`,
  );
  const time = `<time datetime="${escapeHtml(at)}">${escapeHtml(at.slice(0, 16).replace('T', ' '))} UTC</time>`;
  return `<article><header><strong>${escapeHtml(name)}</strong> · ${time}</header>
<div class="text" dir="auto">${escapeHtml(body)}</div>${files.length > 0 ? `<ul>${files.join('')}</ul>` : ''}</article>`;
};

const pageHtml = (ticket: PageTicket): string => {
  const { number, subject, description, status, requester, created_at: at, attachments, thread } = ticket;
  const first = { name: requester.name, at, body: description, attachments };
  const replies = thread.map(({ author, ...reply }) => ({ name: author.name, ...reply }));
  const title = escapeHtml(`${number} ${subject}`);
  const form =
    status === 'closed'
      ? ''
      : `<form hidden><label for="body">Your reply</label><textarea id="body" name="body" rows="6" required maxlength="50000"></textarea><button>Send reply</button></form>
<p id="status" role="status"></p><noscript>Reply to the e-mail to answer: the form requires JavaScript.</noscript><script>${SCRIPT}</script>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title><style>${STYLE}</style></head>
<body><main><h1 dir="auto">${escapeHtml(subject)}</h1>
<dl><dt>Ticket</dt><dd>${escapeHtml(number)}</dd><dt>Status</dt><dd>${escapeHtml(STATUS[status] ?? status)}</dd></dl>
${[first, ...replies].map(messageHtml).join('\n')}
${form}</main></body></html>
`;
};

const HEADERS = {
  ...pageHeaders({ script: SCRIPT, style: STYLE }),
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'private, no-store',
};

/** Sends a ticket as a page with a reply form. All user text is escaped. */
export const sendTicketPage =
  (ticket: PageTicket): ResponseWriter =>
  (response) => {
    response.writeHead(200, HEADERS).end(pageHtml(ticket));
    return Promise.resolve();
  };
