/** The check of commit subjects accepts what CONTRIBUTING.md describes, and names each fault. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const script = fileURLToPath(new URL('../scripts/commits.mjs', import.meta.url));

/** Returns the faults that the script finds in a subject. */
function faultsOf(subject: string): string[] {
  const code = `import(${JSON.stringify(script)}).then(({ subjectFaults }) => console.log(JSON.stringify(subjectFaults(${JSON.stringify(subject)}))))`;
  return JSON.parse(spawnSync(process.execPath, ['-e', code], { encoding: 'utf8' }).stdout) as string[];
}

test.each([
  ['finance: post advances to a separate account', []],
  ['finance, inventory: check the decimals of amounts by the shared rule', []],
  ['Fix it', ['has no scope: write "scope: imperative summary"']],
  ['misc: fix it', ['has the unknown scope "misc"']],
  ['crm: Fix it.', ['begins with a capital', 'ends with a full stop']],
  ['hr: let employees leave', ['begins with a vague verb']],
  [`crm: fix ${'x'.repeat(70)}`, ['has 79 characters, more than 72']],
])('%s', (subject, faults) => {
  expect(faultsOf(subject)).toEqual(faults);
});
