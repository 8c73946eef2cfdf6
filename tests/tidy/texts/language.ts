import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { testTitles } from './language-titles.ts';
import { file, isScript, lineOf, nodes, perFile, type Rule, type SourceFile, type Violation } from '../rule.ts';

/** A banned pattern with its replacement: one line of `banned-phrases.txt`. */
interface Banned {
  pattern: RegExp;
  instead: string;
}

const phrases: readonly Banned[] = readFileSync(new URL('banned-phrases.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => {
    const [pattern = '', instead = ''] = line.split('\t');
    return { pattern: new RegExp(pattern, 'iu'), instead };
  });

/** One text for readers, with its line. */
interface Text {
  line: number;
  text: string;
}

const COMMENT = /^\s*(?:\/\*\*?|\*(?!\/)|\/\/\/?|--|#(?!!))\s?(.*)$|\s\/\/ (.*)$/;

/** The comments of a file, line by line. */
function comments({ path, text }: SourceFile): Text[] {
  const mark = isScript(path) ? /^\s*(?:\/|\*)|\s\/\/ / : /^\s*(?:\/\/|--|#)/;
  return text.split('\n').flatMap((line, index) => {
    const [, whole, trailing] = mark.test(line) ? (COMMENT.exec(line) ?? []) : [];
    const found = whole ?? trailing;
    return found === undefined ? [] : [{ line: index + 1, text: found }];
  });
}

/** The prose of a Markdown page: lines outside code fences. */
function prose({ text }: SourceFile): Text[] {
  let fenced = false;
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*```/.test(line)) fenced = !fenced;
    return fenced ? [] : [{ line: index + 1, text: line }];
  });
}

const TEXT_PROPERTIES = new Set(['summary', 'message', 'advice', 'addition']);

/** True for texts of the API docs and messages. Descriptions in other files are often user data. */
function isTextProperty(name: string, path: string): boolean {
  return TEXT_PROPERTIES.has(name) || (name === 'description' && path.endsWith('.api.ts'));
}

/** True for literals that people read: test titles, and texts such as summaries, descriptions and messages. */
function isRead(node: ts.Node): node is ts.StringLiteralLike {
  if (!ts.isStringLiteralLike(node)) return false;
  const { parent } = node;
  if (ts.isPropertyAssignment(parent)) return isTextProperty(parent.name.getText(), node.getSourceFile().fileName);
  // The reason of several operations: `const ADDITION = '…'`.
  if (ts.isVariableDeclaration(parent)) return parent.name.getText() === 'ADDITION';
  if (!ts.isCallExpression(parent)) return false;
  // The message of a fault: `fault(409, 'stale', 'This record has changed.')`.
  if (parent.arguments[2] === node && /^(?:fault|wrong|new GatewayFault)$/.test(parent.expression.getText()))
    return true;
  return parent.arguments[0] === node && /^(?:test|describe)\b|\.describe$/.test(parent.expression.getText());
}

/** True for parts of the message of an error: `new LaunchError(`Unknown service "${name}".`)`, `invalid('to', '…')`. */
function isThrown(node: ts.Node): node is ts.StringLiteralLike | ts.TemplateLiteralLikeNode {
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateHead(node) && !ts.isTemplateMiddleOrTemplateTail(node))
    return false;
  const call = ts.findAncestor(node, (one) => ts.isNewExpression(one) || ts.isCallExpression(one));
  if (call === undefined) return false;
  const { expression } = call;
  return ts.isNewExpression(call)
    ? /(?:Error|Misuse|Rejection)$/.test(expression.getText())
    : /^invalid$|\baddIssue$/.test(expression.getText());
}

const literals = (source: SourceFile): Text[] =>
  nodes(
    source,
    (node): node is ts.StringLiteralLike | ts.TemplateLiteralLikeNode => isRead(node) || isThrown(node),
  ).map((node) => ({ line: lineOf(node), text: node.text }));

/** The names of files with texts of e-mails, text messages and PDFs. Files are renamed, so a rule checks that each exists. */
const SENT = [
  'mail',
  '(?<!dead-)letter',
  'pdf',
  'labels/en',
  'trial-reminders',
  'sla-announcements',
  'sms-factor',
  'sms-provider',
  'canned/default-replies',
].map((name) => new RegExp(`/src/.*${name}[^/]*\\.ts$`));

const isSentFrom = (path: string): boolean => SENT.some((name) => name.test(path));

/** True for parts of a text that is sent: literals of several words, except SQL. */
function isSent(node: ts.Node): node is ts.StringLiteralLike | ts.TemplateLiteralLikeNode {
  const isPart = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
  return isPart && /\w \w/.test(node.text) && ts.findAncestor(node, ts.isTaggedTemplateExpression) === undefined;
}

const sent = (source: SourceFile): Text[] =>
  nodes(source, isSent).map((node) => ({ line: lineOf(node), text: node.text }));

/** Greetings of an e-mail that are not the common one, and a sentence that continues the greeting. */
const GREETING = /^Dear |^Hello [^,]*,\s+\p{Ll}/u;

/** Greetings that differ from "Hello NAME," with a capital after them. */
const greetings = (source: SourceFile): Violation[] =>
  nodes(source, (node): node is ts.Expression => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node))
    .filter((node) =>
      GREETING.test(
        node
          .getText()
          .slice(1)
          .replaceAll(/\$\{[^}]*\}/g, 'X')
          .replaceAll('\\n', '\n'),
      ),
    )
    .map((node) => ({
      path: source.path,
      line: lineOf(node),
      message: 'begin with "Hello NAME," and continue with a capital',
    }));

/** Banned phrases in some texts, ignoring code in backticks. */
function bannedIn(path: string, texts: readonly Text[]): Violation[] {
  return texts.flatMap(({ line, text }) => {
    const plain = text.replaceAll(/`[^`]*`/g, '');
    return phrases.flatMap(({ pattern, instead }) => {
      const [found] = pattern.exec(plain) ?? [];
      return found === undefined
        ? []
        : [{ path, line, message: `"${found}": rewrite the sentence, for example with ${instead}` }];
    });
  });
}

/** The message of a log line: `log.warn({ file }, 'API docs file missing')`. */
function isLogMessage(node: ts.Node): node is ts.StringLiteralLike {
  const { parent } = node;
  if (!ts.isStringLiteralLike(node) || !ts.isCallExpression(parent) || parent.arguments.at(-1) !== node) return false;
  return /\blog\.(?:debug|info|warn|error|fatal)$/.test(parent.expression.getText());
}

const logLines = perFile(
  'a log line begins with a capital and has no full stop',
  (path) => isScript(path) && !isExempt(path) && !path.endsWith('.test.ts'),
  (source) =>
    nodes(source, isLogMessage)
      .filter(({ text }) => !/^(?:\p{Lu}|gRPC ).*[^.]$/su.test(text))
      .map((node) => ({
        path: source.path,
        line: lineOf(node),
        message: `"${node.text}": write a phrase that begins with a capital, without a full stop`,
      })),
  [
    file('services/crm/src/leads/lead.ts', "log.warn({ id }, 'Lead lost.');\n"),
    file('services/crm/src/leads/lead.ts', "tools.log.info('started');\n"),
  ],
);

/** The texts of the API docs outside TypeScript, without code. */
const reference = ({ text }: SourceFile): Text[] => {
  const plain = text.replaceAll(/<pre>.*?<\/pre>/gs, (example) => example.replaceAll(/[^\n]/g, ''));
  return plain.split('\n').map((line, index) => ({ line: index + 1, text: line.replaceAll(/<code.*?<\/code>/g, '') }));
};

const isMarkdown = (path: string): boolean => path.endsWith('.md');

/** Applied migrations never change, so that their texts remain. The other files quote the phrases. */
const isExempt = (path: string): boolean =>
  path.includes('/prisma/migrations/') || path.startsWith('tests/tidy/texts/language') || path.includes('/fixtures/');

const inComments = perFile(
  'comments contain no banned phrase',
  (path) => !isExempt(path) && (isScript(path) || /\.(sql|prisma|proto|ya?ml|sh)$/.test(path)),
  (source) => bannedIn(source.path, comments(source)),
  [
    file('services/crm/src/leads/lead.ts', '// Whoever asks is told.\n'),
    file('services/crm/src/leads/lead.ts', 'convert(); // as it was\n'),
    file('services/crm/src/leads/lead.ts', '// Rejects text that is no number.\n'),
    file('services/crm/src/leads/lead.ts', '// A telephone number.\n'),
    file('services/crm/src/leads/lead.ts', '// Sends an acknowledgement.\n'),
    file('services/crm/prisma/functions/lead.sql', '-- Nobody sees it.\n'),
    file('proto/suite/crm/v1/crm.proto', '// What is left of it.\n'),
  ],
);

const inMarkdown = perFile(
  'Markdown pages contain no banned phrase',
  (path) => isMarkdown(path) && !isExempt(path),
  (source) => bannedIn(source.path, prose(source)),
  [file('README.md', 'Tell somebody.\n')],
);

const inTexts = perFile(
  'test titles, summaries, descriptions and messages contain no banned phrase',
  (path) => isScript(path) && !isExempt(path) && !path.startsWith('tests/tidy/'),
  (source) => bannedIn(source.path, literals(source)),
  [
    file('services/crm/src/leads/lead.rules.ts', "fault(409, 'taken', 'Tell the owner of the lead.');\n"),
    file('services/crm/src/leads/lead.test.ts', "test('a lead that nobody sees', () => {});\n"),
    file(
      'services/crm/src/leads/leads.api.ts',
      "export const list = query('GET /api/leads', { summary: 'List what is left' });\n",
    ),
    file('services/crm/src/leads/leads.api.ts', "const ADDITION = 'There is no operation for it.';\n"),
    file('services/crm/src/leads/lead.ts', 'throw new RangeError(`The lead ${id} is not there.`);\n'),
    file('services/crm/src/leads/lead.ts', "throw invalid('name', 'Say the name.');\n"),
  ],
);

const inSent = perFile(
  'texts of e-mails, text messages and PDFs contain no banned phrase, and e-mails begin with "Hello"',
  (path) => isSentFrom(path) && !isExempt(path) && !path.endsWith('.test.ts'),
  (source) => [...bannedIn(source.path, sent(source)), ...greetings(source)],
  [
    file('services/crm/src/leads/lead-mail.rules.ts', "const who = 'Somebody mentioned you';\n"),
    file(
      'services/crm/src/leads/lead-mail.rules.ts',
      'const text = `Ticket ${number} lies with you, whoever you are`;\n',
    ),
    file('services/crm/src/leads/lead-letter.ts', "const LABELS = { total: 'What is left' };\n"),
    file('services/crm/src/leads/lead-mail.ts', 'const text = `Dear ${name},`;\n'),
    file('services/crm/src/leads/lead-mail.ts', 'const text = `Hello ${name},\\n\\nyou have a lead.`;\n'),
  ],
);

const sentNames: Rule = {
  name: 'every name of files with texts of e-mails, text messages and PDFs occurs in a file name',
  check: (files) =>
    SENT.filter((name) => !files.some(({ path }) => name.test(path))).map((name) => ({
      path: 'tests/tidy/texts/language.ts',
      message: `no file is called ${name.source}: enter its new name, so that its texts are still checked`,
    })),
  broken: [[file('services/crm/src/leads/lead-mail.ts', 'const text = `Hello ${name},`;\n')]],
};

const inReference = perFile(
  'field descriptions, meanings of values, advice on errors and guides contain no banned phrase',
  (path) => /^packages\/api-docs\/(?:\w+\.txt|guides\/.*\.html)$/.test(path),
  (source) => bannedIn(source.path, reference(source)),
  [
    file('packages/api-docs/errors.txt', 'stale: Tell the user.\n'),
    file('packages/api-docs/guides/errors.html', '<p>Tell the user.</p>\n'),
  ],
);

/** Plain English: no text for readers contains a phrase of `banned-phrases.txt`. */
export const language: Rule[] = [
  inComments,
  inMarkdown,
  inTexts,
  inSent,
  sentNames,
  logLines,
  inReference,
  ...testTitles,
];
