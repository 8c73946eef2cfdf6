interface Policy {
  limit: number;
  window_s: number;
  counts: string;
}

/** The introduction of the API document, with the published rate limits in it. */
export function description(policies: Record<string, Policy>): string {
  const limits = Object.entries(policies).map(
    ([name, { limit, window_s, counts }]) => `| \`${name}\` | ${limit} in ${window_s} s | ${counts} |`,
  );
  return `A business-management suite as an API.

**Signing in.** \`POST /api/login\` gives an access token (10 minutes) and a refresh token; personal API keys (\`bms_…\`) are made under
\`/api/v1/settings/api-keys\`. Send either as \`Authorization: Bearer …\`. The workspace you work in comes from the token.
A key can be narrowed to scopes: to permissions, and to \`account.view\` and \`account.update\`, which open those operations that need no permission
(\`x-key-scope\`): a key without them reaches nothing of its owner's own account.

**Answers.** \`{ "data": … }\`, and for lists also \`"meta"\`. Errors are \`{ message, code, errors?, details?, request_id, docs_url }\`: the message
may be shown to people, the code is stable and explained at [docs_url](/docs/errors), \`errors\` holds messages by field. \`Accept: application/problem+json\` adds the
members of RFC 9457. Checks come in this order: 401, 429, 403, 404, 422, 409. Unknown ids and those
of other workspaces look the same.

**Lists.** \`page\` and \`per_page\` (at most 100), or \`cursor\`; \`sort=-created_at,name\`; filters \`status=open\`, \`amount[gte]=10\`,
\`owner_id[in]=a,b\` (eq, ne, in, gt, gte, lt, lte, like, null); \`q\` searches; \`expand=owner\`; \`fields=id,name\`. What is unknown is refused. Totals are
exact to 10 000, with \`total_is_exact: false\` beyond. One of more than a thousand may be two seconds old, and behind a cursor it is that of the page on
which the walk began. \`q\` takes the words as beginnings; beyond 10 000 matches it looks at the newest.

**Paper.** Operations that say so answer as a PDF to \`Accept: application/pdf\`, with the same permission and the same figures; quality values
count, and everybody else gets JSON. A draft is printed as a draft.

**Writing.** Send an \`Idempotency-Key\` with every write that you may have to repeat: within 24 hours the same key gives the first answer again.
Records carry a \`version\` and an \`ETag\`; send it back as \`If-Match\`, and a record that changed in between answers 412. Amounts are decimal strings with the decimals of their currency.

**Limits.** Every answer carries \`RateLimit\` and \`RateLimit-Policy\`; a 429 carries \`Retry-After\` in seconds.

| Policy | Requests | Counted |
|---|---|---|
${limits.join('\n')}
| \`account\` | 10 in 60 s | Failed logins to one account from one address or known device. |
| \`account_everywhere\` | 300 in 600 s | Failed logins to one account from all unknown devices; beyond, each address has one try a minute. |
`;
}
