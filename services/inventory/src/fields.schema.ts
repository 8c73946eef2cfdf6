/** How quantities and costs look on the wire, beside what the chassis knows. */
import { BaseMoneyOut } from '@suite/chassis';
import { z } from 'zod';

const QUANTITY = 'Write a quantity as a decimal string such as "2.5", with at most six decimals.';
const isZero = (text: string) => /^-?[0.]+$/.test(text);

/** A change of a quantity in a body: not nothing. */
export const SignedQuantity = z
  .string(QUANTITY)
  .regex(/^-?\d{1,12}(\.\d{1,6})?$/, QUANTITY)
  .refine((text) => !isZero(text), 'This must not be zero.')
  .meta({ example: '-3' });

/** A bound of a quantity: nothing, or more. */
export const Threshold = z
  .string(QUANTITY)
  .regex(/^\d{1,12}(\.\d{1,6})?$/, QUANTITY)
  .meta({ example: '5' });

/** A rate, per cent or an amount per unit. */
export const Rate = z
  .string('Write a rate as a decimal string such as "19".')
  .regex(/^\d{1,6}(\.\d{1,6})?$/, 'Enter a rate as a decimal string such as "19", with at most six decimals.')
  .meta({ example: '19' });

/** A cost per unit, in the base currency: an average may have more decimals than the currency. */
export const UnitCostOut = BaseMoneyOut.meta({ example: '5.96875' });
