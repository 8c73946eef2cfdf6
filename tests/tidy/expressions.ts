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

/** A hostile text can block the event loop with a slow expression, and limits on its length are easily forgotten. */
export const expressions: Rule = perFile('a regular expression takes linear time', isProduct, slowIn, [
  file('services/crm/src/leads/lead.ts', "export const cut = (text: string) => text.replace(/-+$/, '');\n"),
  file('services/crm/src/leads/lead.ts', 'export const isName = (text: string) => /^(\\w+ ?)+$/.test(text);\n'),
]);
