/** Runs in the page of a form. Checks the input, sends it and shows the result. Stores nothing in the browser. */
export const FORM_SCRIPT = `
const widget = JSON.parse(document.getElementById('widget').textContent);
const form = document.forms[0];
const [status, thanks] = ['status', 'thanks'].map((id) => document.getElementById(id));
const button = form.querySelector('button');
const isFramed = parent !== window;
const around = { page_url: isFramed ? '' : location.href, referrer: isFramed ? '' : document.referrer };
let host;
let sent = { values: '', submission_id: '' };

const isAllowed = (origin) => widget.origins.some((one) => {
  const [protocol, rest] = one.split('//*.');
  return rest === undefined ? one === origin : origin.startsWith(protocol + '//') && origin.endsWith('.' + rest);
});
const tell = (news) => host && parent.postMessage({ suite_widget: widget.token, ...news }, host);
const tellHeight = () => tell({ height: Math.ceil(document.documentElement.getBoundingClientRect().height) });
addEventListener('message', ({ origin, source, data }) => {
  if (!isFramed || source !== parent || !isAllowed(origin) || data?.suite_widget !== widget.token) return;
  host = origin;
  around.page_url = String(data.page_url ?? '');
  around.referrer = String(data.referrer ?? '');
  tellHeight();
});
new ResizeObserver(tellHeight).observe(document.documentElement);

const uuid = () => {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};
const show = (name, message) => {
  const control = form.elements[name];
  const place = document.getElementById('error-' + name);
  if (!control || !place) return false;
  place.textContent = message;
  if (message) control.setAttribute('aria-invalid', 'true');
  else control.removeAttribute('aria-invalid');
  return true;
};
const focusFirst = () => form.querySelector('[aria-invalid]')?.focus();
const isComplete = () => {
  for (const control of form.elements) if (control.name) show(control.name, control.validity.valid ? '' : control.validationMessage);
  focusFirst();
  return form.checkValidity();
};
const valueOf = ({ name, type }) => form.elements['field-' + name][type === 'checkbox' ? 'checked' : 'value'];
const web = (address) => (/^https?:\\/\\//.test(address) ? address.slice(0, 2000) : undefined);
const campaign = () => {
  const words = URL.canParse(around.page_url) ? new URL(around.page_url).searchParams : new URLSearchParams();
  const named = ['source', 'medium', 'campaign', 'term', 'content'].map((name) => [name, words.get('utm_' + name)]);
  // Removes control characters and split surrogate pairs, which would cause a rejection.
  const cut = (value) => value.slice(0, 200).replace(/[\\p{Cc}\\p{Cs}]/gu, '');
  return Object.fromEntries(named.filter(([, value]) => value).map(([name, value]) => [name, cut(value)]));
};
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

const bodyNow = () => {
  const fields = Object.fromEntries(widget.fields.map((field) => [field.name, valueOf(field)]));
  const values = JSON.stringify(fields) + form.elements.consent.checked;
  if (sent.values !== values) sent = { values, submission_id: uuid() };
  return {
    token: widget.token,
    form_token: widget.form_token,
    submission_id: sent.submission_id,
    fields,
    consent: { accepted: form.elements.consent.checked, version: widget.version },
    page_url: web(around.page_url),
    referrer: web(around.referrer),
    utm: campaign(),
    [widget.honeypot]: form.elements[widget.honeypot].value,
  };
};
const send = async () => {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, credentials: 'omit' };
  const response = await fetch(widget.submit_path, { ...request, body: JSON.stringify(bodyNow()) });
  return { ok: response.ok, wait: Number(response.headers.get('retry-after')), ...(await response.json()) };
};
let loaded = performance.now();
const renew = async () => {
  const response = await fetch(location.href, { headers: { accept: 'application/json' }, credentials: 'omit' });
  const { data } = await response.json();
  if (data?.version !== widget.version) return false;
  widget.form_token = data.form_token;
  loaded = performance.now();
  return true;
};
/** Forms are not accepted within two seconds, because no visitor reads them that fast. */
const aMoment = () => pause(Math.max(0, 2.1 - (performance.now() - loaded) / 1000));
const sendPatiently = async () => {
  const answer = await aMoment().then(send);
  if (answer.code === 'too_fast') return pause(answer.wait || 2).then(send);
  if (answer.code === 'form_expired' && (await renew())) return aMoment().then(send);
  return answer;
};
const finish = ({ data }) => {
  form.hidden = true;
  status.textContent = '';
  thanks.hidden = false;
  thanks.textContent = data.message;
  thanks.focus();
  tellHeight();
  if (!data.redirect_url) return;
  if (host) tell({ redirect: data.redirect_url });
  else if (!isFramed) location.assign(data.redirect_url);
};
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (button.disabled || !isComplete()) return;
  button.disabled = true;
  status.textContent = '';
  try {
    const answer = await sendPatiently();
    if (answer.ok) return finish(answer);
    const wrong = Object.entries(answer.errors ?? {});
    const elsewhere = wrong.filter(([name, [message]]) => !show(name.replace(/^fields\\./, 'field-'), message));
    if (wrong.length === 0 || elsewhere.length > 0) status.textContent = answer.message;
    focusFirst();
  } catch {
    status.textContent = widget.words.offline;
  } finally {
    button.disabled = false;
  }
});
`;
