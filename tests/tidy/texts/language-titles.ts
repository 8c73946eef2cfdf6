import ts from 'typescript';
import { file, lineOf, nodes, perFile, type Rule } from '../rule.ts';

const NO_VERB =
  /^(?:a|all|also|an|and|another|as|at|because|before|between|beyond|but|by|during|each|every|for|from|if|in|its|no|of|on|only|over|that|the|their|through|to|two|under|unless|until|when|where|which|while|who|whose|with|without)\b/i;

const isTitle = (node: ts.Node): node is ts.StringLiteralLike => {
  const { parent } = node;
  if (!ts.isStringLiteralLike(node) || !ts.isCallExpression(parent) || parent.arguments[0] !== node) return false;
  // The title of `test.each(rows)('…')` is in the outer call.
  return /^test\b/.test(parent.expression.getText()) && parent.expression.getText() !== 'test.each';
};

const isTitleInDescribe = (node: ts.Node): node is ts.StringLiteralLike =>
  isTitle(node) &&
  ts.findAncestor(node, (one) => ts.isCallExpression(one) && /^describe\b/.test(one.expression.getText())) !==
    undefined;

const titles = perFile(
  'the title of a test in a describe begins with a verb',
  (path) => path.endsWith('.test.ts'),
  (source) =>
    nodes(source, isTitleInDescribe)
      .filter(({ text }) => NO_VERB.test(text))
      .map((node) => ({
        path: source.path,
        line: lineOf(node),
        message: `"${node.text}": begin with a verb whose subject is the title of the describe`,
      })),
  [
    file(
      'services/crm/src/leads/lead.test.ts',
      "describe('a lead', () => { test('of others is hidden', () => {}); });\n",
    ),
    file(
      'services/crm/src/leads/lead.test.ts',
      "describe('a lead', () => { test.each(rows)('with %s is rejected', () => {}); });\n",
    ),
  ],
);

/**
 * Words and marks that titles do not contain. Comments may: a circle of references is `manager_circle` in an error
 * code.
 */
const NOT_IN_TITLES: readonly [RegExp, string][] = [
  [/;/, 'split the title, or write "and"'],
  [/\bhowever (?:many|often)\b/i, 'write "regardless of" or "any number of"'],
  [/\bcircles?\b/i, 'write "cycle"'],
  [/\brefus(?:e|es|al)\b/i, 'write "reject"'],
  [
    /\bG\d+\b|\b(?:match(?:es)?|of|from) the specification\b/,
    'state the result instead of the code or source of an example',
  ],
];

const wording = perFile(
  'the title of a test contains no semicolon and no word that another word replaces',
  (path) => path.endsWith('.test.ts'),
  (source) =>
    nodes(source, isTitle).flatMap((node) =>
      NOT_IN_TITLES.filter(([pattern]) => pattern.test(node.text)).map(([, instead]) => ({
        path: source.path,
        line: lineOf(node),
        message: `"${node.text}": ${instead}`,
      })),
    ),
  [
    file('services/crm/src/leads/lead.test.ts', "test('a lead is converted once; a retry does nothing', () => {});\n"),
    file(
      'services/crm/src/leads/lead.test.ts',
      "test('a lead is converted once, however often it is sent', () => {});\n",
    ),
    file('services/crm/src/leads/lead.test.ts', "test('leads form no circle', () => {});\n"),
    file(
      'services/crm/src/leads/lead.test.ts',
      "test('a lead is refused', () => {});\ntest('refuses a lead', () => {});\n",
    ),
    file('packages/money/src/document.test.ts', "test('has the totals of G1', () => {});\n"),
    file('packages/money/src/document.test.ts', "test('matches the specification to the cent', () => {});\n"),
  ],
);

const TITLE_MAX = 80;

const lengths = perFile(
  `the title of a test has at most ${TITLE_MAX} characters`,
  (path) => path.endsWith('.test.ts'),
  (source) =>
    nodes(source, isTitle)
      .filter(({ text }) => text.length > TITLE_MAX)
      .map((node) => ({
        path: source.path,
        line: lineOf(node),
        message: `"${node.text}" has ${node.text.length} characters: state one result and one condition`,
      })),
  [file('services/crm/src/leads/lead.test.ts', `test('a lead is ${'very '.repeat(TITLE_MAX / 5)}long', () => {});\n`)],
);

/** The titles of tests read as sentences about their subject. */
export const testTitles: Rule[] = [titles, wording, lengths];
