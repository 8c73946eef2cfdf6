/** An attempted operation with its expected response, calculated from the model before the request. */
import type { Invoice, Model } from './model.ts';

export type Json = Record<string, unknown>;
/** The response of a service. */
export type ActualResponse = ReturnType<typeof JSON.parse>;

export interface Attempt {
  service: 'finance' | 'inventory';
  method: 'POST' | 'DELETE';
  path: string;
  body?: Json;
  status: number;
  /** Error code of the expected rejection. */
  code?: string;
  /** Details of the expected error. */
  details?: Json;
  /** Updates the model with the assigned IDs. */
  happens?(answered: ActualResponse): void;
  /** Returns the fields that the response must contain. Called after the operation. */
  shows?(): Json;
  /** Invoices that must match the model after the operation. */
  touches?: readonly Invoice[];
}

/** Plan for an operation with random values. Undefined if the model has no suitable record. */
export type Plan = (model: Model) => Attempt | undefined;

export const rejection = (code: string, status = 409, details?: Json) => ({
  status,
  code,
  ...(details && { details }),
});
/** The rejection of an invalid request. */
export const INVALID = rejection('validation_failed', 422);
export const NOT_FOUND = rejection('not_found', 404);
/** The rejection of a date in a locked period. */
export const LOCKED = rejection('period_locked');
export const ILLEGAL = rejection('invalid_transition');
