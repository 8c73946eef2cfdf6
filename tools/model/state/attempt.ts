/** Something that is tried, and what must be answered: worked out from the model before anybody is asked. */
import type { Invoice, Model } from './model.ts';

export type Json = Record<string, unknown>;
/** The answer of a service. */
export type Answered = ReturnType<typeof JSON.parse>;

export interface Attempt {
  service: 'finance' | 'inventory';
  method: 'POST' | 'DELETE';
  path: string;
  body?: Json;
  status: number;
  /** Why it is refused. */
  code?: string;
  /** The details of a refusal. */
  details?: Json;
  /** Brings the model up to date; with ids as they were given. */
  happens?(answered: Answered): void;
  /** The fields that the answer must show; asked when it has happened. */
  shows?(): Json;
  /** Invoices that must be shown as the model has them now. */
  touches?: readonly Invoice[];
}

/** An operation with its arbitrary facts; nothing, where the model has nothing to try it on. */
export type Plan = (model: Model) => Attempt | undefined;

export const refused = (code: string, status = 409, details?: Json) => ({ status, code, ...(details && { details }) });
/** A request that makes no sense. */
export const INVALID = refused('validation_failed', 422);
export const GONE = refused('not_found', 404);
/** The books are closed for its day. */
export const LOCKED = refused('period_locked');
export const ILLEGAL = refused('invalid_transition');
