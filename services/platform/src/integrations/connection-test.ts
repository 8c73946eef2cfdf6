/** Trials of a connection: steps in their order, of which the first that fails is the last. */
import { clock, Fault, invalid } from '@suite/chassis';
import { type Outgoing, OutgoingFailure, within } from '@suite/outgoing';
import { ConnectionFailed, PrivateAddress } from './integration.rules.ts';
import type { ConnectionTest } from './integration.schema.ts';

/** Less than the gateway waits for a service: who asks for a trial is told which step takes too long. */
const SOMEBODY_WAITS_MS = 6_000;

/** The way to servers outside, while somebody waits for what comes of it. */
export const whileWaiting = (outgoing: Outgoing): Outgoing => within(outgoing, SOMEBODY_WAITS_MS);

/** A step that failed, with a sentence for the user. */
export class StepFailed extends Error {}

/** Notes the steps of a trial. */
export interface Trial {
  /** Does a step. After one that failed none is done. @returns what it found, or undefined */
  step<T>(name: string, message: string, work: () => Promise<T>): Promise<T | undefined>;
  result(): ConnectionTest;
  /** Refuses to keep what did not pass. @param field the field with the address @throws PrivateAddress, ConnectionFailed */
  assertPassed(field: string): void;
}

/** Begins a trial. */
export function beginTrial(): Trial {
  const steps: ConnectionTest['steps'] = [];
  let failure: unknown;
  const result = () => ({ ok: steps.every(({ ok }) => ok), steps });
  return {
    async step(name, message, work) {
      if (failure !== undefined) return undefined;
      const begun = clock.now().getTime();
      const note = (ok: boolean, said: string) =>
        steps.push({ name, ok, ms: clock.now().getTime() - begun, message: said });
      try {
        const found = await work();
        note(true, message);
        return found;
      } catch (error) {
        if (!(error instanceof OutgoingFailure) && !(error instanceof StepFailed)) throw error;
        failure = error;
        note(false, error.message);
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
