/** Attempts of steps on which two services disagree. */
import { keyPattern, type StepOfService } from '../audit/step-rules.ts';

/** An attempt on which two services disagree. */
export interface StepDifference {
  workspace_id: string;
  key: string;
  /**
   * - `repeat`: completed here, unknown there. - `undo`: done there, and unknown or undone here. - `manual`: completed here,
   * undone there, so its key is invalid.
   */
  action: 'repeat' | 'undo' | 'manual';
  /** The method that was called. Null for an attempt that is unknown there. */
  method: string | null;
}

/** Returns the record and the number in the key of an attempt. */
export function attemptOf({ step }: StepOfService, key: string): { record_id: string; attempt: number } {
  const [, first = '', second = ''] = new RegExp(keyPattern(step)).exec(key) ?? [];
  return first.includes('-')
    ? { record_id: first, attempt: Number(second) }
    : { record_id: second, attempt: Number(first) };
}
