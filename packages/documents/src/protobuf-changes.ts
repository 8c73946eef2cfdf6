import type { BreakingChange } from './breaking-changes.ts';

const SUBJECT = /\b(?:RPC|message|enum|service) "(?<name>[\w.]+)"/i;

/** The findings of `buf breaking --error-format json`: a line of JSON each. Its subject is a message, a method or the like. */
export function protobufChanges(output: string): BreakingChange[] {
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => {
    const { path = 'proto', message } = JSON.parse(line) as { path?: string; message: string };
    return { subject: SUBJECT.exec(message)?.groups?.['name'] ?? path, sentence: message };
  });
}
