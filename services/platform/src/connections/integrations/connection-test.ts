/** Connection tests: ordered steps that stop at the first failure. */
import { Fault, invalid } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import { type Outgoing, OutgoingFailure, limitTotalTime } from '@suite/outbound-http';
import { ConnectionFailed, PrivateAddress } from './integration.rules.ts';
import type { ConnectionTest } from './integration.schema.ts';

/** Shorter than the gateway's timeout, so that the response can name the slow step. */
const CALLER_TIMEOUT_MS = 6_000;

/** Returns outgoing access with a timeout for requests whose caller waits for the result. */
export const withCallerTimeout = (outgoing: Outgoing): Outgoing => limitTotalTime(outgoing, CALLER_TIMEOUT_MS);

/** Failed step, with a sentence for the user. */
export class StepFailed extends Error {}

/** Recorder of the steps of a connection test. */
export interface ConnectionTrial {
  /** Runs a step, unless an earlier step failed. @returns its result, or undefined */
  step<T>(name: string, message: string, work: () => Promise<T>): Promise<T | undefined>;
  result(): ConnectionTest;
  /**
   * Rejects settings that did not pass. @param field field with the address @throws PrivateAddress, ConnectionFailed
   */
  assertPassed(field: string): void;
}

/** Starts a connection test. */
export function startTrial(): ConnectionTrial {
  const steps: ConnectionTest['steps'] = [];
  let failure: unknown;
  const result = () => ({ ok: steps.every(({ ok }) => ok), steps });
  return {
    async step(name, message, work) {
      if (failure !== undefined) return undefined;
      const started_at = clock.now().getTime();
      const recordStep = (ok: boolean, text: string) =>
        steps.push({ name, ok, duration_ms: clock.now().getTime() - started_at, message: text });
      try {
        const found = await work();
        recordStep(true, message);
        return found;
      } catch (error) {
        if (!(error instanceof OutgoingFailure) && !(error instanceof StepFailed)) throw error;
        failure = error;
        recordStep(false, error.message);
        return undefined;
      }
    },
    result,
    assertPassed(field) {
      if (failure === undefined) return;
      if (!(failure instanceof OutgoingFailure)) throw ConnectionFailed({ ...result() });
      if (failure.code === 'private_address')
        throw new Fault(422, PrivateAddress.code, PrivateAddress.text, { errors: { [field]: [PrivateAddress.text] } });
      if (failure.code === 'invalid_url' || failure.code === 'not_https') throw invalid(field, failure.message);
      throw ConnectionFailed({ ...result() });
    },
  };
}
