/**
 * Operator command for plans, their prices and the plan settings.
 *
 *     npm run plans -- price --code business --currency EUR --interval month --amount 49.00
 */
import { readFileSync } from 'node:fs';
import type { Database } from '@suite/chassis/database';
import { Currency, Locale, LongText, Name } from '@suite/chassis/fields';
import { clock } from '@suite/chassis/runtime';
import { z } from 'zod';
import { refreshEntitlements } from '../entitlements/entitlements/entitlement.ts';
import { withoutCaller, type Db } from '../operations.ts';
import { isPayable } from '../billing/payments/amount.rules.ts';
import { MODULES } from '../entitlements/plans/module.ts';
import * as catalogue from '../entitlements/plans/plan-catalogue.ts';
import { PriceInterval } from '../entitlements/plans/public-plan.schema.ts';
import { openPlatformDatabase, runAsProcess, settings } from './config.ts';
import { readOptions, parseCommand } from './operator-command.ts';
import { formatPlanList, formatPlan, formatSettings } from './plan-output.ts';

const usage = () => readFileSync(new URL('./plans.help.txt', import.meta.url), 'utf8').trim();

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const OPTIONS = {
  code: text,
  name: text,
  description: text,
  modules: text,
  users: text,
  customers: text,
  'storage-mb': text,
  'api-rpm': text,
  emails: text,
  'trial-days': text,
  feature: { type: 'string', multiple: true },
  position: text,
  hidden: flag,
  recommended: text,
  public: text,
  currency: text,
  interval: text,
  amount: text,
  'per-user': flag,
  wholesale: text,
  none: flag,
  locale: text,
  fallback: text,
  'grace-days': text,
} as const;

const Code = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'Use a-z, 0-9 and underscores, starting with a-z, such as "business".');
const count = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'Enter a whole number.')
    .transform(Number)
    .pipe(z.int().min(least, `Enter a number of at least ${least}.`).max(most, `Enter a number of at most ${most}.`));
const Amount = z.string().regex(/^\d{1,12}(\.\d{1,4})?$/, 'Enter an amount such as 49.00.');
const YesOrNo = z.enum(['yes', 'no'], 'Write yes or no.').transform((word) => word === 'yes');
const Modules = z
  .string()
  .transform((list) => list.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(MODULES, `Name modules of ${MODULES.join(', ')}, with commas between.`)).min(1));
const FEATURE = /^([a-z][a-z0-9_]{0,39})=(.{1,200})$/;
const Features = z
  .array(z.string().regex(FEATURE, 'Enter a feature as key=text.'))
  .max(50)
  .default([])
  .transform((features) =>
    features.map((one) => FEATURE.exec(one)!).map(([, key, words]) => ({ key: key!, text: words! })),
  )
  .refine((features) => new Set(features.map(({ key }) => key)).size === features.length, 'Each key may occur once.');

const AddOptions = z.strictObject({
  code: Code,
  name: Name,
  description: LongText.min(1).max(1_000),
  modules: Modules,
  users: count(1, 1e6).optional(),
  customers: count(1, 1e9 - 1).optional(),
  'storage-mb': count(1, 1e9 - 1).optional(),
  'api-rpm': count(1, 1e6).optional(),
  emails: count(1, 1e6).optional(),
  'trial-days': count(0, 365).default(0),
  feature: Features,
  position: count(0, 10_000).optional(),
  hidden: z.boolean().default(false),
  recommended: YesOrNo.default(false),
});

const PriceOptions = z
  .strictObject({
    code: Code,
    currency: Currency,
    interval: PriceInterval,
    amount: Amount.optional(),
    'per-user': z.boolean().default(false),
    wholesale: Amount.optional(),
    none: z.boolean().default(false),
  })
  .refine(({ amount, none }) => (amount === undefined) === none, {
    error: 'Enter an amount or --none.',
    path: ['amount'],
  })
  .refine(({ amount = '0', wholesale = '0' }) => Number(wholesale) <= Number(amount), {
    error: 'This must not exceed the price.',
    path: ['wholesale'],
  })
  .superRefine(({ currency, ...amounts }, { addIssue }) => {
    for (const name of ['amount', 'wholesale'] as const) {
      const isAccepted = amounts[name] === undefined || isPayable({ amount: amounts[name], currency });
      const message = `The payment provider does not accept this amount in ${currency}. Enter another amount.`;
      if (!isAccepted) addIssue({ code: 'custom', path: [name], message });
    }
  });

interface CommandContext {
  database: Database<Db>;
}

/** Runs a function on rows without a workspace. */
const withCatalogue = <T>({ database }: CommandContext, work: (all: Db) => Promise<T>): Promise<T> =>
  database.writeEverywhere(withoutCaller('cli:plans'), work);

async function addPlan(options: object, context: CommandContext): Promise<string> {
  const { feature: features, hidden, recommended: is_recommended, ...input } = readOptions(AddOptions, options);
  const limits = {
    user_limit: input.users ?? null,
    customer_limit: input.customers ?? null,
    storage_limit_mb: input['storage-mb'] ?? null,
    api_rpm_limit: input['api-rpm'] ?? null,
    email_limit: input.emails ?? null,
  };
  const plan = { ...input, ...limits, trial_days: input['trial-days'], features, is_public: !hidden, is_recommended };
  await withCatalogue(context, (all) => catalogue.addPlan(all, plan));
  return `The plan ${input.code} is offered now. It has no price yet: "npm run plans -- price" sets one.`;
}

async function price(options: object, context: CommandContext): Promise<string> {
  const { code, currency, interval, amount = null, wholesale = null, ...more } = readOptions(PriceOptions, options);
  const input = { code, currency, interval, amount, wholesale_amount: wholesale, per_user: more['per-user'] };
  const replaced = await withCatalogue(context, (all) => catalogue.setPrice(all, input));
  if (amount === null)
    return replaced
      ? `The plan ${code} no longer has a price in ${currency} for a ${interval}.`
      : `The plan ${code} had no price in ${currency} for a ${interval}.`;
  return `The plan ${code} costs ${amount} ${currency} a ${interval}${input.per_user ? ' for each user' : ''} now.${replaced ? ' Subscriptions keep the price that they have.' : ''}`;
}

async function offerPlan(options: object, context: CommandContext): Promise<string> {
  const Offer = z.strictObject({ code: Code, public: YesOrNo.optional(), recommended: YesOrNo.optional() });
  const { code, public: is_public, recommended: is_recommended } = readOptions(Offer, options);
  await withCatalogue(context, (all) => catalogue.offerPlan(all, code, { is_public, is_recommended }));
  return `The plan ${code} is offered now.`;
}

async function translatePlan(options: object, context: CommandContext): Promise<string> {
  const Texts = z.strictObject({
    code: Code,
    locale: Locale,
    name: Name.optional(),
    description: LongText.min(1).max(1_000).optional(),
    feature: Features,
  });
  const { code, locale, name, description, feature } = readOptions(Texts, options);
  const features = Object.fromEntries(feature.map(({ key, text: words }) => [key, words]));
  const texts = { ...(name && { name }), ...(description && { description }), features };
  await withCatalogue(context, (all) => catalogue.translatePlan(all, code, locale, texts));
  return `The plan ${code} has texts for ${locale} now.`;
}

async function retirePlan(options: object, context: CommandContext): Promise<string> {
  const { code } = readOptions(z.strictObject({ code: Code }), options);
  await withCatalogue(context, (all) => catalogue.retirePlan(all, code));
  return `The plan ${code} is no longer offered. Existing subscribers keep it.`;
}

async function removePlan(options: object, context: CommandContext): Promise<string> {
  const { code } = readOptions(z.strictObject({ code: Code }), options);
  await withCatalogue(context, (all) => catalogue.removePlan(all, code));
  return `The plan ${code} is deleted.`;
}

const SettingsOptions = z.strictObject({
  fallback: z.union([z.literal('none').transform(() => null), Code]).optional(),
  'grace-days': count(0, 90).optional(),
  emails: count(1, 1e6).optional(),
});

/** Sets the plan that follows an expired one. Affects workspaces with an expired plan immediately. */
async function changeSettings(options: object, context: CommandContext): Promise<string> {
  const {
    fallback: fallback_plan,
    'grace-days': grace_days,
    emails: email_limit,
  } = readOptions(SettingsOptions, options);
  if (fallback_plan !== undefined || grace_days !== undefined || email_limit !== undefined) {
    const affected = await withCatalogue(context, async (all) => {
      await catalogue.changePlanSettings(all, { fallback_plan, grace_days, email_limit });
      return await catalogue.workspacesWithPlanSettings(all);
    });
    for (const id of affected)
      await context.database.write(withoutCaller('cli:plans', id), (db, emit) =>
        refreshEntitlements({ db, emit }, id, clock.now()),
      );
  }
  return await withCatalogue(context, formatSettings);
}

const COMMANDS: Record<string, (options: object, context: CommandContext) => Promise<string>> = {
  list: (options, context) => {
    readOptions(z.strictObject({}), options);
    return withCatalogue(context, formatPlanList);
  },
  show: (options, context) => {
    const { code } = readOptions(z.strictObject({ code: Code }), options);
    return withCatalogue(context, (all) => formatPlan(all, code));
  },
  add: addPlan,
  price,
  offer: offerPlan,
  text: translatePlan,
  retire: retirePlan,
  remove: removePlan,
  settings: changeSettings,
};

const PROGRAM = { program: 'npm run plans', commands: COMMANDS, options: OPTIONS };

/** Runs the command and returns its report. @throws an Error with one sentence for the operator */
export async function plansCommand(words: string[], context: CommandContext): Promise<string> {
  const { name, values } = parseCommand(words, PROGRAM);
  try {
    return await COMMANDS[name]!(values, context);
  } catch (error) {
    if (!catalogue.isCatalogueError(error)) throw error;
    const details = Object.entries(error.details ?? {}).map(([field, number]) => `${field}: ${number}`);
    throw new Error(details.length > 0 ? `${error.message} (${details.join(', ')})` : error.message, { cause: error });
  }
}

/** Runs a command on a database that is opened for the command. */
export async function operate(words: string[], database_settings: ReturnType<typeof settings>): Promise<string> {
  const database = openPlatformDatabase(database_settings);
  try {
    return await plansCommand(words, { database });
  } finally {
    await database.close();
  }
}

if (import.meta.main) {
  await runAsProcess(async () => {
    const words = process.argv.slice(2);
    if (words.includes('--help')) return usage();
    parseCommand(words, PROGRAM);
    return await operate(words, settings());
  });
}
