import type { BreakingChange } from './breaking-changes.ts';

const SUBJECT = /\b(?:RPC|message|enum|service) "(?<name>[\w.]+)"/i;

/**
 * Returns the findings of `buf breaking --error-format json`, one line of JSON each. The subject is, for example, a
 * message or a method.
 */
export function protobufChanges(output: string): BreakingChange[] {
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => {
    const { path = 'proto', message } = JSON.parse(line) as { path?: string; message: string };
    return { subject: SUBJECT.exec(message)?.groups?.['name'] ?? path, sentence: message };
  });
}
