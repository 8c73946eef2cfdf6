import {
  choice,
  Color,
  Id,
  foreignId,
  input,
  LongText,
  Name,
  record,
  refTo,
  ShortText,
  Timestamp,
  Url,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { isAllowable, widgetStates } from './widget.rules.ts';

const Language = z.string().regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, 'Enter a language such as `en` or `en-GB`.');

/** Types of form fields, with the maximum length of each. */
export const MAX_LENGTHS = {
  text: 500,
  email: 254,
  tel: 30,
  url: 2_000,
  textarea: 10_000,
  select: 100,
  checkbox: 0,
} as const;
const FieldType = choice('text', 'email', 'tel', 'url', 'textarea', 'select', 'checkbox');

const FieldName = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'Use at most 40 characters: a-z, 0-9 and underscores.');
const Options = z.array(ShortText(100).min(1)).min(1).max(50);

const FormField = z.strictObject({
  name: FieldName,
  type: FieldType,
  label: ShortText(200).min(1),
  required: z.boolean().default(false),
  options: Options.refine((words) => new Set(words).size === words.length, 'Enter each option only once.').optional(),
  max_length: z.int().min(1).max(MAX_LENGTHS.textarea).optional(),
});
export type FormField = z.output<typeof FormField>;

const WidgetTexts = z
  .strictObject({
    title: ShortText(200).min(1),
    intro: LongText.max(1_000).optional(),
    submit: ShortText(60).min(1),
    thanks: LongText.max(500).min(1),
    labels: z.record(FieldName, ShortText(200).min(1)).optional().describe('Labels of the fields in this language.'),
    consent: LongText.max(2_000).min(1).optional().describe('Consent text in this language.'),
  })
  .meta({ id: 'WidgetTexts' });
export type WidgetTexts = z.output<typeof WidgetTexts>;

const Colors = z.strictObject({ accent: Color, text: Color, background: Color }).meta({ id: 'WidgetColors' });

const Consent = z.strictObject({
  required: z.boolean().default(true),
  text: LongText.min(1).max(2_000),
  privacy_url: Url.nullable().default(null),
});

const ORIGINS = 'Enter https://host, https://host:port or https://*.host. Use http only for localhost.';
const Origin = z
  .string()
  .max(300)
  .regex(/^https?:\/\//, { error: ORIGINS, abort: true })
  .refine(isAllowable, ORIGINS);

/** Settings of a lead form. */
export const Widget = record({
  name: z.string(),
  status: choice('active', 'revoked'),
  language: z.string(),
  allowed_origins: z.array(z.string()),
  pipeline_id: Id,
  stage_id: Id,
  owner_id: Id,
  source_id: Id.nullable(),
  label_ids: z.array(Id),
  fields: z.array(FormField),
  texts: z.record(Language, WidgetTexts),
  colors: Colors,
  consent: Consent,
  redirect_url: z.string().nullable(),
  revoked_at: Timestamp.nullable(),
  form_version: z.int().describe('Version of the form. Increases with each change that visitors can see.'),
  token: z.string().nullable().describe('Public token in the form URL. Every visitor can read it.'),
  counters: z
    .object({
      submitted: z.int().describe('Number of accepted submissions.'),
      merged: z.int().describe('Number of submissions that were added to an existing lead.'),
      spam: z.int(),
      refused: z.int(),
    })
    .describe('Numbers of submissions of the form.'),
  allowed_actions: Actions(widgetStates),
}).meta({ id: 'Widget' });

export const WidgetDetails = Widget.extend({
  snippet: z.string().describe('Script tag to paste into a page.'),
  page_url: z.string().describe('URL of the form as a page.'),
}).meta({ id: 'WidgetDetails' });

export const WidgetFilter = list(Widget, {
  filter: ['id', 'name', 'status', 'pipeline_id', 'owner_id', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'name'],
  search: true,
});

const COLORS = { accent: '#1d4ed8', text: '#111827', background: '#ffffff' };

const facts = {
  name: Name,
  language: Language,
  allowed_origins: z.array(Origin).max(20).describe('Origins of the pages that can show and submit the form.'),
  pipeline_id: refTo('pipelines').describe('ID of the pipeline. Defaults to the default pipeline.'),
  stage_id: refTo('lead_stages').describe('Defaults to the first stage of the pipeline.'),
  owner_id: foreignId('platform.user').describe('Defaults to the caller.'),
  source_id: refTo('sources').nullable(),
  label_ids: z.array(refTo('labels')).max(20),
  fields: z.array(FormField).min(1).max(30),
  texts: z.record(Language, WidgetTexts),
  colors: Colors,
  consent: Consent,
  redirect_url: Url.nullable().describe('URL to which visitors are redirected after submitting the form.'),
};

export const NewWidget = input({
  ...facts,
  language: facts.language.default('en'),
  pipeline_id: facts.pipeline_id.optional(),
  stage_id: facts.stage_id.optional(),
  owner_id: facts.owner_id.optional(),
  source_id: facts.source_id.optional(),
  label_ids: facts.label_ids.optional(),
  colors: facts.colors.default(COLORS),
  redirect_url: facts.redirect_url.default(null),
});

export const WidgetChanges = input({ ...facts, version }).partial();

export const Rotation = input({
  overlap_hours: z.int().min(0).max(168).default(0).describe('Hours for which the previous token keeps working.'),
});

export type NewWidget = z.output<typeof NewWidget>;
export type WidgetChanges = z.output<typeof WidgetChanges>;
export type WidgetRow = z.output<typeof Widget>;
