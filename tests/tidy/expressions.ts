import { analyse } from 'scslre';
import ts from 'typescript';
import { violationAt, file, isProduct, nodes, perFile, type Rule, type SourceFile, type Violation } from './rule.ts';

const isExpression = (node: ts.Node): node is ts.RegularExpressionLiteral =>
  node.kind === ts.SyntaxKind.RegularExpressionLiteral;

/** Returns the regular expressions of a file that take quadratic or exponential time for some text. */
function slowIn(source: SourceFile): Violation[] {
  return nodes(source, isExpression).flatMap((node) => {
    const end = node.text.lastIndexOf('/');
    const { reports } = analyse({ source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    return reports.length > 0
      ? [
          violationAt(
            source,
            node,
            `${node.text} takes quadratic time or more: let each character match in one way only`,
          ),
        ]
      : [];
  });
}

/** Returns the expressions with the flag `u`, as literals or `new RegExp(…, 'u')`, with their sources. */
function unicodeExpressions(source: SourceFile): { node: ts.Node; text: string }[] {
  const literals = nodes(source, isExpression)
    .filter(({ text }) => text.slice(text.lastIndexOf('/')).includes('u'))
    .map((node) => ({ node, text: node.text }));
  const made = nodes(source, ts.isNewExpression).flatMap((node) => {
    const [pattern, flags] = node.arguments ?? [];
    const isUnicode =
      node.expression.getText() === 'RegExp' && flags && ts.isStringLiteral(flags) && flags.text.includes('u');
    return isUnicode ? [{ node, text: pattern!.getText() }] : [];
  });
  return [...literals, ...made];
}

const asciiBoundaries = (source: SourceFile): Violation[] =>
  unicodeExpressions(source)
    .filter(({ text }) => /\\b/.test(text))
    .map(({ node }) => violationAt(source, node, 'Use (?<!\\p{L}) or (?!\\p{L}): \\b treats "ó" as the end of a word'));

/** A hostile text can block the event loop with a slow expression, and limits on its length are easily forgotten. */
export const expressions: Rule[] = [
  perFile('a regular expression takes linear time', isProduct, slowIn, [
    file('services/crm/src/leads/lead.ts', "export const cut = (text: string) => text.replace(/-+$/, '');\n"),
    file('services/crm/src/leads/lead.ts', 'export const isName = (text: string) => /^(\\w+ ?)+$/.test(text);\n'),
  ]),
  perFile('an expression for texts in any language ends words at any letter', isProduct, asciiBoundaries, [
    file(
      'services/support/src/emails/quotes.ts',
      'export const isReply = (text: string) => /escribió\\b/iu.test(text);\n',
    ),
    file(
      'services/support/src/emails/quotes.ts',
      "export const isReply = (verb: string) => new RegExp(`(?:${verb})\\\\b`, 'iu');\n",
    ),
  ]),
];
