/** View of a form for visitors. */
import type { Keys } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { widgetUrl } from '../widgets/widget.view.ts';
import { type Form, formKey } from './form-lookup.ts';
import type { LeadForm } from './form.schema.ts';
import { issueFormToken } from './form-token.ts';
import { honeypotOf, maxLength } from './form.rules.ts';

/** Returns the display language of a form: the requested one if the form has texts in it. */
export const languageOf = (
  { texts, language }: Pick<Form, 'texts' | 'language'>,
  requested: string | undefined,
): string => (requested !== undefined && Object.hasOwn(texts, requested) ? requested : language);

/** Returns the consent text in a language. */
export const consentText = ({ texts, consent }: Pick<Form, 'texts' | 'consent'>, language: string): string =>
  texts[language]?.consent ?? consent.text;

/** Returns the URL that a form in a language is sent to. */
const submitUrl = (public_url: string, language: string): string =>
  `${widgetUrl(public_url, 'lead')}?lang=${encodeURIComponent(language)}`;

/** Returns a form in a language, with a new token. */
export function showForm(
  form: Form,
  { keys, public_url, lang }: { keys: Keys; public_url: string; lang?: string | undefined },
): LeadForm {
  const { token, form_version, colors, redirect_url, consent } = form;
  const language = languageOf(form, lang);
  const { title, intro = null, submit, thanks, labels = {} } = form.texts[language]!;
  return {
    token,
    version: form_version,
    language,
    texts: { title, intro, submit, thanks },
    fields: form.fields.map((field) => ({
      name: field.name,
      type: field.type,
      label: labels[field.name] ?? field.label,
      required: field.required,
      ...(field.options && { options: field.options }),
      max_length: maxLength(field),
    })),
    colors,
    consent: {
      required: consent.required,
      text: consentText(form, language),
      version: form_version,
      privacy_url: consent.privacy_url,
    },
    honeypot: honeypotOf(form),
    form_token: issueFormToken(formKey(keys), form, clock.now()),
    submit_url: submitUrl(public_url, language),
    redirect_url,
  };
}
