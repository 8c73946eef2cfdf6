interface Policy {
  limit: number;
  window_s: number;
  counts: string;
}

/** Returns the introduction of the API docs, with the published rate limits. */
export function description(policies: Record<string, Policy>): string {
  const limits = Object.entries(policies).map(
    ([name, { limit, window_s, counts }]) => `| \`${name}\` | ${limit} in ${window_s} s | ${counts} |`,
  );
  return `A business-management suite as an API.

## Authentication

\`POST /api/login\` returns an access token (10 minutes) and a refresh token (14 days). Create personal API keys (\`bms_…\`) under
\`/api/v1/settings/api-keys\`. Send either as \`Authorization: Bearer …\`. The token determines the workspace.

Scopes limit a key to permissions. The scopes \`account.view\` and \`account.update\` open the operations that require no permission
(\`x-key-scope\`). A key without them cannot reach the account of its owner.

## Responses and errors

Responses contain \`data\`, and lists also \`meta\`. Errors are \`{ message, code, errors?, details?, request_id, docs_url }\`. Show \`message\` to users, and
decide by \`code\`, which is stable and explained at [docs_url](/docs/errors). \`errors\` contains messages by field. \`Accept: application/problem+json\` adds the
members of RFC 9457. Checks run in this order: 401, 429, 403, 404, 422, 409. Unknown IDs and IDs of other workspaces return the same 404.

## Pagination, filters and search

| Parameter | Meaning |
|---|---|
| \`page\`, \`per_page\` | Page number, and records per page (at most 100) |
| \`cursor\` | Next page, from \`meta.next_cursor\` |
| \`sort=-created_at,name\` | At most four fields; \`-\` for descending order |
| \`status=open\`, \`amount[gte]=10\`, \`owner_id[in]=a,b\` | Filters: eq, ne, in, gt, gte, lt, lte, like, null |
| \`q\` | Full-text search. Words also match longer words. Above 10,000 matches, the newest are searched. |
| \`expand=owner\`, \`fields=id,name\` | Adds related records; returns some fields only |

Unknown parameters return 422. Totals are exact up to 10,000; above, \`total_is_exact\` is \`false\`. Totals above 1,000 may be two seconds old.

## Amounts and dates

Amounts are decimal strings with the decimals of their currency. Dates are calendar days in the workspace's time zone, and times are UTC.

## Idempotency and concurrency

Send an \`Idempotency-Key\` with every write that you may have to repeat. For 24 hours, the same key returns the first response again.
Records have a \`version\` and an \`ETag\`. Send it as \`If-Match\`: if the record has changed in the meantime, the response is 412.

## PDF

Operations with the media type \`application/pdf\` return a PDF for \`Accept: application/pdf\`, with the same permissions and amounts. Drafts are marked as drafts.

## Limits

Every response carries \`RateLimit\` and \`RateLimit-Policy\`. A 429 carries \`Retry-After\` in seconds.

| Policy | Requests | Counted |
|---|---|---|
${limits.join('\n')}
| \`account\` | 10 in 60 s | Failed logins to one account from one IP address or known device. |
| \`account_everywhere\` | 300 in 600 s | Failed logins to one account from all unknown devices. Above, each IP address has one attempt per minute. |
`;
}
