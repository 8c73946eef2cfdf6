/** Form as a self-contained page for embedding in a frame, without external resources. */
import { randomBytes } from 'node:crypto';
import type { ResponseWriter } from '@suite/chassis/operations';
import { escapeHtml } from '@suite/mail';
import type { LeadForm } from './form.schema.ts';
import { FORM_SCRIPT } from './form-script.ts';

/** Returns JSON that cannot close a script element. */
const toScriptJson = (value: object): string => JSON.stringify(value).replaceAll('<', String.raw`\u003c`);

const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur']);

/** Fields that browsers fill in automatically. */
const AUTOCOMPLETE: Readonly<Record<string, string>> = {
  name: 'name',
  email: 'email',
  phone: 'tel',
  company: 'organization',
  job_title: 'organization-title',
  website: 'url',
};

/** Texts of the page itself, by language. */
const PAGE_TEXTS: Readonly<Record<string, { offline: string; privacy: string; choose: string; script: string }>> = {
  en: {
    offline: 'The server does not respond. Try again in a moment.',
    privacy: 'Privacy policy',
    choose: 'Choose …',
    script: 'This form needs JavaScript.',
  },
  de: {
    offline: 'Der Server antwortet nicht. Versuchen Sie es gleich noch einmal.',
    privacy: 'Datenschutzerklärung',
    choose: 'Bitte wählen …',
    script: 'Dieses Formular braucht JavaScript.',
  },
  fr: {
    offline: 'Le serveur ne répond pas. Réessayez dans un instant.',
    privacy: 'Politique de confidentialité',
    choose: 'Choisir …',
    script: 'Ce formulaire a besoin de JavaScript.',
  },
  es: {
    offline: 'El servidor no responde. Inténtelo de nuevo en un momento.',
    privacy: 'Política de privacidad',
    choose: 'Elija …',
    script: 'Este formulario necesita JavaScript.',
  },
};
const pageTextsIn = (language: string) => PAGE_TEXTS[language.split('-')[0]!] ?? PAGE_TEXTS['en']!;

const styleOf = ({ colors: { accent, text, background } }: LeadForm): string => `
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; color: ${text}; background: ${background}; }
h1 { font-size: 1.25rem; margin: 0 0 .5rem; }
p { margin: 0 0 1rem; white-space: pre-line; }
.field { margin: 0 0 1rem; }
label { display: block; }
input, select, textarea { width: 100%; font: inherit; color: inherit; background: inherit; border: 1px solid; border-radius: 4px; padding: .5rem; }
textarea { min-height: 7rem; }
input[type='checkbox'] { width: 1.25rem; height: 1.25rem; margin: 0; flex: none; accent-color: ${accent}; }
label:has(input[type='checkbox']) { display: flex; gap: .5rem; align-items: flex-start; }
a { color: ${accent}; }
button { font: inherit; font-weight: 600; color: ${background}; background: ${accent}; border: 0; border-radius: 4px; padding: .625rem 1.25rem; cursor: pointer; }
:focus-visible { outline: 3px solid ${accent}; outline-offset: 2px; }
.error:empty, #status:empty { display: none; }
.error, #status { font-weight: 600; margin: .25rem 0 0; }
[aria-invalid] { border-width: 2px; }
.unseen { position: absolute; left: -10000px; }
`;

type LeadFormField = LeadForm['fields'][number];
const requiredMark = (required: boolean): string => (required ? ' <span aria-hidden="true">*</span>' : '');
const errorElement = (name: string): string => `<p class="error" id="error-${name}" aria-live="polite"></p>`;

/** Returns the attributes that identify a field. No field name can collide with another name in the page. */
const fieldAttributes = (name: string): string =>
  `id="field-${name}" name="field-${name}" aria-describedby="error-field-${name}"`;

function inputElement({ name, type, required, max_length, options = [] }: LeadFormField, choose: string): string {
  const own = `${fieldAttributes(name)}${required ? ' required' : ''}`;
  if (type === 'select') {
    // Sets the value explicitly. Browsers collapse spaces in an option without a `value`.
    const choices = options.map((word) => `<option value="${escapeHtml(word)}">${escapeHtml(word)}</option>`).join('');
    return `<select ${own}><option value="">${choose}</option>${choices}</select>`;
  }
  if (type === 'textarea') return `<textarea ${own} maxlength="${max_length}"></textarea>`;
  const filled = AUTOCOMPLETE[name] ? ` autocomplete="${AUTOCOMPLETE[name]}"` : '';
  return `<input ${own} type="${type}" maxlength="${max_length}"${filled}>`;
}

function fieldOf(field: LeadFormField, choose: string): string {
  const { name, type, label, required } = field;
  const words = `${escapeHtml(label)}${requiredMark(required)}`;
  if (type !== 'checkbox')
    return `<div class="field"><label for="field-${name}">${words}</label>${inputElement(field, choose)}${errorElement(`field-${name}`)}</div>`;
  const box = `<input ${fieldAttributes(name)} type="checkbox"${required ? ' required' : ''}>`;
  return `<div class="field"><label>${box}<span>${words}</span></label>${errorElement(`field-${name}`)}</div>`;
}

function consentOf({ consent: { required, text, privacy_url } }: LeadForm, privacy: string): string {
  const link = privacy_url
    ? `<p><a href="${escapeHtml(privacy_url)}" target="_blank" rel="noopener">${privacy}</a></p>`
    : '';
  const box = `<input name="consent" type="checkbox" aria-describedby="error-consent"${required ? ' required' : ''}>`;
  return `<div class="field"><label>${box}<span>${escapeHtml(text)}${requiredMark(required)}</span></label>${errorElement('consent')}</div>${link}`;
}

function pageOf(form: LeadForm, origins: readonly string[], nonce: string): string {
  const { language, texts, honeypot, token, version, form_token, fields, submit_url } = form;
  const { offline, privacy, choose, script } = pageTextsIn(language);
  const { pathname, search } = new URL(submit_url);
  const known = fields.map(({ name, type }) => ({ name, type }));
  const facts = {
    token,
    version,
    form_token,
    honeypot,
    origins,
    fields: known,
    submit_path: pathname + search,
    words: { offline },
  };
  const direction = RIGHT_TO_LEFT.has(language.split('-')[0]!) ? ' dir="rtl"' : '';
  return `<!doctype html>
<html lang="${language}"${direction}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(texts.title)}</title><style nonce="${nonce}">${styleOf(form)}</style></head>
<body><main><h1>${escapeHtml(texts.title)}</h1><noscript><p>${script}</p></noscript><p id="thanks" role="status" tabindex="-1" hidden></p>
<form novalidate>${texts.intro ? `<p>${escapeHtml(texts.intro)}</p>` : ''}
${fields.map((field) => fieldOf(field, choose)).join('\n')}
<div class="unseen" aria-hidden="true"><label>${honeypot}<input name="${honeypot}" tabindex="-1" autocomplete="off"></label></div>
${consentOf(form, privacy)}
<button>${escapeHtml(texts.submit)}</button><p id="status" role="alert"></p></form></main>
<script type="application/json" id="widget" nonce="${nonce}">${toScriptJson(facts)}</script><script type="module" nonce="${nonce}">${FORM_SCRIPT}</script></body></html>
`;
}

/** Sends the form as a page. Only pages of the allowed origins can embed it in a frame. */
export function sendPage(form: LeadForm, origins: readonly string[] = []): ResponseWriter {
  const nonce = randomBytes(16).toString('base64');
  const around = origins.length > 0 ? origins.join(' ') : "'none'";
  return async (response) => {
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors ${around}`,
      'Referrer-Policy': 'origin',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
    response.end(pageOf(form, origins, nonce));
  };
}
