import {
  BusinessDay,
  Country,
  Currency,
  Day,
  Email,
  Id,
  foreignId,
  inner,
  input,
  ShortText,
  Locale,
  Money,
  BaseMoneyOut,
  MoneyOut,
  Name,
  LongText,
  Phone,
  record,
  refTo,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { Rate } from '../ledger/ledger/rate.schema.ts';
import { partyActions } from './party.rules.ts';

const Metadata = z
  .record(z.string().min(1).max(40), z.string().max(500))
  .refine((pairs) => Object.keys(pairs).length <= 50, 'At most 50 entries.');

const Balances = {
  balance: MoneyOut.describe('Open balance in this currency.'),
  overdue_balance: MoneyOut.describe('Overdue part of the balance.'),
  base_balance: BaseMoneyOut.describe('Open balance in base currency.'),
  base_overdue_balance: BaseMoneyOut.describe('Overdue part of the balance, in base currency.'),
};

/**
 * Returns the fields of a party. Staff see amounts only with the permission to view its invoices. The party itself sees
 * its own amounts.
 */
const fieldsOf = (permission: string) => {
  const amount = <S extends z.ZodType>(schema: S) => inner(schema, permission, { person: 'user_id' });
  return {
    code: z.string(),
    name: z.string(),
    company: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    tax_number: z.string().nullable(),
    user_id: Id.nullable().describe('ID of the portal user of the customer or vendor.'),
    billing_address: z.string().nullable(),
    shipping_address: z.string().nullable(),
    country: z
      .string()
      .nullable()
      .describe('ISO 3166-1 alpha-2 country code of the address. PDFs show the country name.'),
    language: z.string().nullable().describe('Language of PDFs. `null` for the workspace language.'),
    currency: Currency,
    payment_terms_days: z.int(),
    credit_limit: inner(
      BaseMoneyOut.nullable().describe('Credit limit over all currencies, in base currency.'),
      permission,
    ),
    external_id: inner(z.string().nullable()),
    metadata: inner(z.record(z.string(), z.string())),
    active: z.boolean(),
    opening_balance: amount(MoneyOut.nullable().describe('Opening balance in the currency of the customer or vendor.')),
    opening_date: amount(Day.nullable().describe('Date of the opening balance. `null` without one.')),
    opening_rate: amount(
      z.string().nullable().describe('Exchange rate of the opening balance to the base currency. `null` without one.'),
    ),
    opening_balance_id: Id.nullable().describe(
      'ID of the opening balance. Payments settle it like an invoice, with this ID as `invoice_id`.',
    ),
    balance: amount(Balances.balance.describe('Open balance in the currency of the customer or vendor.')),
    overdue_balance: amount(Balances.overdue_balance),
    base_balance: amount(Balances.base_balance.describe('Open balance in all currencies, in base currency.')),
    base_overdue_balance: amount(Balances.base_overdue_balance),
    balances: amount(
      z.array(z.object({ currency: Currency, ...Balances })).describe('Outstanding and overdue amounts by currency.'),
    ),
    credit_available: inner(
      BaseMoneyOut.nullable().describe('Remaining credit limit in base currency. `null` without a limit.'),
      permission,
    ),
  };
};

/** Customer: the party on the sales side. */
export const Customer = record({
  ...fieldsOf('sales_invoice.view'),
  allowed_actions: Actions(partyActions.customer),
}).meta({ id: 'Customer' });
/** Vendor: the party on the purchase side. */
export const Vendor = record({
  ...fieldsOf('purchase_invoice.view'),
  expense_account_id: inner(
    Id.nullable().describe('ID of the account for bill lines without a product. `null` for the default account.'),
  ),
  allowed_actions: Actions(partyActions.vendor),
}).meta({ id: 'Vendor' });

const grammar = {
  filter: [
    'code',
    'name',
    'company',
    'email',
    'phone',
    'user_id',
    'currency',
    'external_id',
    'active',
    'created_at',
    'updated_at',
  ] as ('code' | 'created_at')[],
  sort: ['created_at', 'updated_at', 'name', 'code'] as ('code' | 'created_at')[],
  search: true,
};
export const CustomerFilter = list(Customer, grammar);
export const VendorFilter = list(Vendor, grammar);

/** Customer or vendor in the choices of forms. */
export const PartySummary = z
  .object({
    id: Id,
    code: z.string(),
    name: z.string(),
    company: z.string().nullable(),
    email: z.string().nullable(),
    currency: z.string(),
    payment_terms_days: z.int(),
    updated_at: Customer.shape.updated_at,
  })
  .meta({ id: 'PartySummary' });

export const PickerFilter = list(PartySummary, {
  filter: ['name', 'code', 'email', 'updated_at'],
  sort: ['name', 'code'],
  search: true,
});

const Text = ShortText().min(1).nullable();
const facts = {
  company: Text,
  email: Email.nullable(),
  phone: Phone.nullable(),
  tax_number: ShortText(50).min(1).nullable(),
  user_id: foreignId('platform.user')
    .nullable()
    .describe(
      'ID of the user account linked to this record in the portal. The user sees its documents. Requires permission to view all of these documents. An account can be linked to one record.',
    ),
  billing_address: LongText.nullable(),
  shipping_address: LongText.nullable(),
  country: Country.nullable().describe('ISO 3166-1 alpha-2 country code of the address. PDFs show the country name.'),
  language: Locale.nullable().describe('Language of PDFs. `null` for the workspace language.'),
  currency: Currency.describe('Defaults to the base currency of the workspace.'),
  payment_terms_days: z.int().min(0).max(365),
  credit_limit: Money.nullable().describe(
    'Credit limit over all currencies, in base currency. Applies to the base balance (`base_balance`).',
  ),
  external_id: Text,
  metadata: Metadata,
};
const optional = z.object(facts).partial().shape;

export const PartyInput = input({
  name: Name,
  ...optional,
  opening_balance: Money.optional().describe('Opening balance at the start of the books. Posted automatically.'),
  opening_date: BusinessDay.optional().describe('Date of the opening balance. Defaults to today.'),
  opening_rate: Rate.optional().describe(
    'Exchange rate of the opening balance: base currency per unit. Required for foreign currencies.',
  ),
});

/** Changes to a party. The currency cannot change after the first open item. */
export const PartyChanges = input({ name: Name.optional(), ...optional, active: z.boolean().optional(), version });

const ofVendors = {
  expense_account_id: refTo('gl_accounts')
    .nullable()
    .optional()
    .describe('ID of the account for bill lines without a product and an account. `null` for the default account.'),
};
export const VendorInput = PartyInput.extend(ofVendors);
export const VendorChanges = PartyChanges.extend(ofVendors);

export type PartyRow = z.input<typeof Customer> & Pick<z.input<typeof Vendor>, 'expense_account_id'>;
export type VendorInput = z.output<typeof VendorInput>;
export type VendorChanges = z.output<typeof VendorChanges>;
export type PartyInput = z.output<typeof PartyInput>;
export type PartyChanges = z.output<typeof PartyChanges>;
