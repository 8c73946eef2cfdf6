import type { ServerResponse } from 'node:http';
import { pageHeaders } from '@suite/chassis/runtime';

/** Runs in the browser: reads purpose and token after the `#`, and sends them as JSON. */
const SCRIPT = `
const pages = {
  accept_invitation: ['Welcome', 'Choose a password to accept your invitation.', '/api/accept-invitation'],
  reset_password: ['New password', 'Choose a new password.', '/api/reset-password'],
  verify_email: ['New address', 'Confirm that this is your address.', '/api/verify-email'],
  verify_requested_email: ['New address', 'Confirm that this is your address.', '/api/verify-email'],
  approve_email: ['Change of address', 'Another user wants to change the e-mail address of your account.', '/api/approve-email-change'],
};
const [purpose, token] = location.hash.slice(1).split('=');
const page = Object.hasOwn(pages, purpose) && pages[purpose];
const form = document.forms[0];
const [title, message, password, keys, reject] = ['title', 'message', 'password', 'keys', 'reject'].map((id) => document.getElementById(id));
history.replaceState(null, '', location.pathname);
if (page && token) {
  title.textContent = page[0];
  message.textContent = page[1];
  password.disabled = password.hidden = purpose.endsWith('_email');
  reject.hidden = purpose !== 'approve_email';
  if (!reject.hidden) document.querySelector('button').textContent = 'Approve';
  keys.parentElement.hidden = purpose !== 'reset_password';
  form.hidden = false;
} else message.textContent = 'This link is incomplete. Open it from the e-mail again.';
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const choice = purpose === 'reset_password' ? { revoke_api_keys: keys.checked } : {};
  const body = JSON.stringify(password.disabled ? { token } : { token, password: password.value, ...choice });
  const headers = { 'content-type': 'application/json' };
  const isRejected = event.submitter === reject;
  const answer = await fetch(isRejected ? '/api/reject-email-change' : page[2], { method: 'POST', headers, body }).catch(() => undefined);
  const { message: refusal, data } = (await answer?.json().catch(() => undefined)) ?? {};
  form.hidden = Boolean(answer?.ok);
  message.textContent = answer?.ok
    ? purpose === 'approve_email'
    ? isRejected
      ? 'The change was rejected. Your e-mail address has not changed.'
      : 'The change was approved. Now follow the link that was sent to the new address.'
    : 'Done. You can sign in to ' + data.workspace + ' as ' + data.email + ' now.'
    : (refusal ?? 'The server does not respond. Try again in a moment.');
});
`;

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 24rem; margin: 15vh auto; padding: 0 1rem; }
input, button { font: inherit; width: 100%; padding: .5rem; margin: .5rem 0; box-sizing: border-box; }
input[type='checkbox'] { width: auto; }
`;

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Suite</title><style>${STYLE}</style></head>
<body><main><h1 id="title">Link</h1><p id="message" role="status"></p>
<form hidden><input id="password" type="password" required minlength="10" maxlength="200" autocomplete="new-password" aria-label="Password"><label hidden><input id="keys" type="checkbox"> Revoke my API keys, too</label><button>Continue</button><button id="reject" hidden>Reject</button></form>
<noscript>This page needs JavaScript.</noscript></main><script>${SCRIPT}</script></body></html>
`;

const HEADERS = { ...pageHeaders({ script: SCRIPT, style: STYLE }), 'Cache-Control': 'no-store' };

/** Writes the page that links in e-mails open. All links open the same page. */
export async function sendLinkPage(response: ServerResponse): Promise<void> {
  response.writeHead(200, HEADERS).end(PAGE);
}
