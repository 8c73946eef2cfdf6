/** Records the response of every operation, with the same IDs, days and tokens on every machine and day. */
import { clock } from '@suite/chassis/runtime';
import type { Answer, ExampleRecorder, ExampleCall, Endpoint } from './recorder.ts';
import { documentedId, replaceTexts } from './vocabulary.ts';

/** A call and its response, as shown in the API docs. */
export interface RecordedExample extends ExampleCall {
  answer: Answer;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const TODAY = '2026-11-21';
const UUID = /(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TOKEN = /(?:bms_)?[\w-]{40,}(?:\.[\w-]{8,})*/g;
/** Address of the running suite, on a different port each time. */
const HERE = /http:\/\/localhost:\d+/g;
const MOMENT = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/;

interface Recording {
  recorder: ExampleRecorder;
  begun: Date;
  /** Placeholders for IDs that no call names, by the place of their first occurrence. */
  met: Map<string, string>;
  /** Texts that the call itself contains. */
  literal: ReadonlySet<string>;
}

function stableId(id: string, place: string, { recorder, met }: Recording): string {
  const known = recorder.documented.get(id) ?? met.get(id) ?? documentedId(place);
  met.set(id, known);
  return known;
}

/**
 * Removes fractions of a second from a timestamp. Times of the suite's clock keep their distance from today in days.
 */
function stableTimestamp(text: string, begun: Date): string {
  const since_ms = Date.parse(text) - begun.getTime();
  const isWritten = /T\d\d:\d\d:\d\d(?:\.000)?Z$/.test(text) && Math.abs(since_ms) > HOUR_MS;
  if (isWritten) return text;
  return new Date(Date.parse(`${TODAY}T09:30:00Z`) + Math.round(since_ms / DAY_MS) * DAY_MS).toISOString();
}

/** Makes a text of a response the same in every recording. */
function stabilizeText(text: string, place: string, recording: Recording): string {
  const { recorder, begun, literal } = recording;
  const known = recorder.documented.get(text);
  if (known || literal.has(text)) return known ?? text;
  if (place.endsWith('.last4')) return 'x7Qa';
  if (place.endsWith('.etag')) return '"1-Vd7p0aXq2LkS"';
  if (MOMENT.test(text)) return stableTimestamp(text, begun);
  if (text === begun.toISOString().slice(0, 10)) return TODAY;
  return text
    .replaceAll(UUID, (id) => stableId(id, place, recording))
    .replaceAll(TOKEN, (token) => (/\d/.test(token) ? `${token.startsWith('bms_') ? 'bms_' : ''}token` : token))
    .replaceAll(/^bms_[\w-]{4}$/g, 'bms_Zk3w')
    .replaceAll(HERE, 'https://suite.example.com')
    .replaceAll(/-20\d{2}-(?=\d{4})/g, '-2026-');
}

const textsIn = (value: unknown): Set<string> => {
  const found = new Set<string>();
  replaceTexts(value, (text) => found.add(text));
  return found;
};

/** Calls every operation once. @returns the recordings, and the reason for each failed one */
export async function recordExamples(recorder: ExampleRecorder, endpoints: ReadonlyMap<string, Endpoint>) {
  const begun = clock.now();
  const met = new Map<string, string>();
  const recorded: Record<string, RecordedExample> = {};
  const failures: string[] = [];
  for (const id of endpoints.keys()) {
    try {
      const { documented, send } = await recorder.prepare(id);
      const { status, type, body } = await send(documented);
      if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)} to ${JSON.stringify(documented)}`);
      const recording = { recorder, begun, met, literal: textsIn(documented) };
      const shown = replaceTexts(body, (text, place) => stabilizeText(text, `${id}${place}`, recording));
      recorded[id] = { ...documented, answer: { status, type, body: shown } };
    } catch (error) {
      failures.push(`${id}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { recorded, failures };
}
