/** Formats of quantities and costs in requests and responses, in addition to the chassis formats. */
import { BaseMoneyOut } from '@suite/chassis/fields';
import { z } from 'zod';

const QUANTITY = 'Enter a quantity as a decimal string such as "2.5", with at most six decimals.';
const isZero = (text: string) => /^-?[0.]+$/.test(text);

/** Change of a quantity in a request body. Not zero. */
export const SignedQuantity = z
  .string(QUANTITY)
  .regex(/^-?\d{1,12}(\.\d{1,6})?$/, QUANTITY)
  .refine((text) => !isZero(text), 'Enter a quantity other than 0.')
  .meta({ example: '-3' });

/** Quantity threshold, zero or more. */
export const Threshold = z
  .string(QUANTITY)
  .regex(/^\d{1,12}(\.\d{1,6})?$/, QUANTITY)
  .meta({ example: '5' });

/** Rate: a percentage or an amount per unit. */
export const Rate = z
  .string('Enter a rate as a decimal string such as "19".')
  .regex(/^\d{1,6}(\.\d{1,6})?$/, 'Enter a rate as a decimal string such as "19", with at most six decimals.')
  .meta({ example: '19' });

/** Unit cost in the base currency. An average can have more decimals than the currency. */
export const UnitCostOut = BaseMoneyOut.meta({ example: '5.96875' });
