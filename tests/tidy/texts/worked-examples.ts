import { readFileSync } from 'node:fs';
import { file, isProduct, isScript, type Rule, type SourceFile } from '../rule.ts';

const PAGE = 'docs/worked-examples.md';
const page = readFileSync(new URL(`../../../${PAGE}`, import.meta.url), 'utf8');
const explained = new Set([...page.matchAll(/^### (G\d+):/gm)].map(([, code = '']) => code));

/** This file and the titles that another rule rejects contain codes as fixtures. */
const isExempt = (path: string): boolean => path.startsWith('tests/tidy/');

/** Returns the codes of worked examples in a file, such as G1, with their lines. */
const codesIn = ({ text }: SourceFile): { code: string; line: number }[] =>
  text
    .split('\n')
    .flatMap((content, at) => (content.match(/\bG\d{1,2}\b/g) ?? []).map((code) => ({ code, line: at + 1 })));

const known: Rule = {
  name: `each code of a worked example is on ${PAGE}, and no production code names one`,
  check: (files) =>
    files
      .filter(({ path }) => isScript(path) && !isExempt(path))
      .flatMap((source) =>
        codesIn(source)
          .filter(({ code }) => isProduct(source.path) || !explained.has(code))
          .map(({ code, line }) => ({
            path: source.path,
            line,
            message: isProduct(source.path) ? `${code}: state the rule instead` : `${code}: explain it on ${PAGE}`,
          })),
      ),
  broken: [
    [file('services/crm/src/sales/quotes/quotes.test.ts', '// Worked example G99.\n')],
    [file('services/finance/src/commissions/plan.rules.ts', '// As in G21.\n')],
  ],
};

const used: Rule = {
  name: `each code on ${PAGE} is named by a test`,
  check: (files) => {
    const tests = files.filter(({ path }) => isScript(path) && !isExempt(path));
    const named = new Set(tests.flatMap(codesIn).map(({ code }) => code));
    return [...explained]
      .filter((code) => !named.has(code))
      .map((code) => ({ path: PAGE, message: `${code} is named by no test: name it there, or remove it` }));
  },
  broken: [[file('services/crm/src/sales/quotes/quotes.test.ts', '// Worked example G1.\n')]],
};

/** Tests share examples with exact results. Their codes mean something only with the page that explains them. */
export const workedExamples: Rule[] = [known, used];
