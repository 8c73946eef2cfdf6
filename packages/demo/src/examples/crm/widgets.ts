/** Factories for web forms, and their example calls. `$widget` is the ID of a record that calls share. */
import type { ExampleCall, ExampleFactory } from '../recorder/recorder.ts';

const SITE = 'https://www.bikes.example';

const form = {
  name: 'Contact',
  allowed_origins: [SITE],
  fields: [
    { name: 'name', type: 'text', label: 'Name', required: true },
    { name: 'email', type: 'email', label: 'E-mail', required: true },
    { name: 'message', type: 'textarea', label: 'How can we help?' },
  ],
  texts: { en: { title: 'Write to us', submit: 'Send', thanks: 'Thank you. We will write back today.' } },
  consent: { text: 'You may keep what I write, to answer me.', privacy_url: `${SITE}/privacy` },
};

export const widgets: Record<string, ExampleFactory> = {
  widget: (recorder, serial) => recorder.call('widgets.create', { body: { ...form, name: `Contact ${serial}` } }),
  lead_form: async (recorder) => {
    const { token } = await recorder.shared('widget');
    return await recorder.call('leadForms.show', { as: '', path: { token: String(token) } });
  },
};

export const widgetCalls: Record<string, ExampleCall> = {
  'widgets.create': { body: form },
  'widgets.update': { body: { texts: { en: { ...form.texts.en, submit: 'Send it' } } } },
  'widgets.rotate': { body: { overlap_hours: 24 } },
  'leadForms.show': { as: '', path: { token: '$widget.token' } },
  'leadForms.embed': { as: '', path: { token: '$widget.token' } },
  'submissions.submit': {
    as: '',
    origin: SITE,
    body: {
      token: '$lead_form.token',
      form_token: '$lead_form.form_token',
      submission_id: '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10',
      fields: { name: 'Ada Lovelace', email: 'ada@engines.example', message: 'Ten city bicycles, please.' },
      consent: { accepted: true, version: 1 },
      page_url: `${SITE}/contact`,
      utm: { source: 'newsletter' },
    },
  },
};
