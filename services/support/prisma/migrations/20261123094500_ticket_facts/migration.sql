-- AlterTable
ALTER TABLE "tickets" ADD COLUMN     "over_since" TIMESTAMPTZ(3),
ADD COLUMN     "reopened_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "ticket_facts" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "ticket_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "run" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "opened_at" TIMESTAMPTZ(3),
    "first" BOOLEAN,
    "user_id" UUID,
    "category_id" UUID,
    "priority" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "seconds" INTEGER,
    "kept" BOOLEAN,
    "replies" INTEGER,
    "rating" SMALLINT,

    CONSTRAINT "ticket_facts_pkey" PRIMARY KEY ("workspace_id","ticket_id","kind","run")
);

-- AddForeignKey
ALTER TABLE "ticket_facts" ADD CONSTRAINT "ticket_facts_workspace_id_ticket_id_fkey" FOREIGN KEY ("workspace_id", "ticket_id") REFERENCES "tickets"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What Prisma cannot say. The ranges that a report reads; of what ended, those that began in it.
CREATE INDEX "ticket_facts_at_idx" ON "ticket_facts" ("workspace_id", "at");
CREATE INDEX "ticket_facts_opened_at_idx" ON "ticket_facts" ("workspace_id", "opened_at") WHERE "first";
ALTER TABLE "ticket_facts"
  ADD CONSTRAINT "ticket_facts_kind_check" CHECK ("kind" IN ('answered', 'resolved', 'merged', 'spam', 'reopened', 'restored', 'rated',
    'first_response_breached', 'resolution_breached', 'next_response_breached')),
  ADD CONSTRAINT "ticket_facts_ended_check"
    CHECK (("kind" IN ('resolved', 'merged', 'spam')) = ("opened_at" IS NOT NULL AND "first" IS NOT NULL AND "replies" IS NOT NULL)),
  ADD CONSTRAINT "ticket_facts_rating_check" CHECK (("kind" = 'rated') = ("rating" IS NOT NULL));
-- Facts follow the changes of tickets, which are audited: confined, and no matter for the audit log.
SELECT suite_confine('ticket_facts');

-- Tickets that are there already: each step between states stands in their history. Whoever has a ticket now stands for whoever
-- had it then.
CREATE TEMPORARY TABLE steps ON COMMIT DROP AS
  SELECT activities.workspace_id, ticket_id, activities.at, activities.id, diff -> 'status' ->> 0 AS "from", diff -> 'status' ->> 1 AS "to"
  FROM activities JOIN tickets ON tickets.id = ticket_id AND tickets.workspace_id = activities.workspace_id
  WHERE verb = 'status_changed' AND deleted_at IS NULL
    AND (diff -> 'status' ->> 0 IN ('new', 'open', 'pending', 'on_hold')) <> (diff -> 'status' ->> 1 IN ('new', 'open', 'pending', 'on_hold'));
UPDATE tickets SET
  reopened_at = (SELECT max(at) FROM steps WHERE steps.ticket_id = tickets.id AND "to" = 'open'),
  over_since = CASE WHEN tickets.status NOT IN ('new', 'open', 'pending', 'on_hold')
    THEN coalesce((SELECT max(at) FROM steps WHERE steps.ticket_id = tickets.id AND "to" <> 'open'), resolved_at, public_updated_at) END
WHERE deleted_at IS NULL;

INSERT INTO ticket_facts (workspace_id, ticket_id, kind, run, at, opened_at, first, user_id, category_id, priority, channel, seconds,
  kept, replies)
SELECT steps.workspace_id, ticket_id, "to", row_number() OVER (PARTITION BY ticket_id, "to" ORDER BY steps.at, steps.id), steps.at,
  coalesce(before.at, tickets.created_at), before.at IS NULL, assignee_id, category_id, priority, channel,
  CASE WHEN "to" = 'resolved' AND steps.at = resolved_at THEN resolution_seconds END,
  CASE WHEN "to" = 'resolved' AND steps.at = resolved_at THEN resolution_kept END,
  (SELECT count(*) FROM replies WHERE replies.ticket_id = tickets.id AND author_kind = 'agent'
    AND replies.at BETWEEN coalesce(before.at, tickets.created_at) AND steps.at)
FROM steps JOIN tickets ON tickets.id = ticket_id LEFT JOIN LATERAL (
  SELECT max(began.at) AS at FROM steps AS began WHERE began.ticket_id = steps.ticket_id AND began."to" = 'open'
    AND (began.at, began.id) < (steps.at, steps.id)) AS before ON TRUE
WHERE "to" <> 'open';

INSERT INTO ticket_facts (workspace_id, ticket_id, kind, run, at, user_id, category_id, priority, channel)
SELECT workspace_id, ticket_id, kind, row_number() OVER (PARTITION BY ticket_id, kind ORDER BY at, steps.id), at, assignee_id,
  category_id, priority, channel
FROM (SELECT *, CASE "from" WHEN 'resolved' THEN 'reopened' ELSE 'restored' END AS kind FROM steps) AS steps
JOIN (SELECT id AS ticket, assignee_id, category_id, priority, channel FROM tickets) AS tickets ON ticket = ticket_id
WHERE "to" = 'open';

INSERT INTO ticket_facts (workspace_id, ticket_id, kind, run, at, user_id, category_id, priority, channel, seconds, kept, rating)
SELECT workspace_id, id, 'answered', 1, first_responded_at, coalesce((SELECT author_id FROM replies WHERE replies.ticket_id = tickets.id
    AND author_kind = 'agent' ORDER BY at, replies.id LIMIT 1), assignee_id), category_id, priority, channel, first_response_seconds,
  first_response_kept, NULL
FROM tickets WHERE first_responded_at IS NOT NULL AND deleted_at IS NULL
UNION ALL
SELECT workspace_id, id, 'rated', reopened_count + 1, rated_at, assignee_id, category_id, priority, channel, NULL, NULL, rating
FROM tickets WHERE rated_at IS NOT NULL AND rating IS NOT NULL AND deleted_at IS NULL
UNION ALL
SELECT clock.workspace_id, tickets.id, target || '_breached', run, clock.breached_at, assignee_id, category_id, priority, channel, NULL,
  NULL, NULL
FROM ticket_clocks AS clock JOIN tickets ON tickets.id = clock.ticket_id AND tickets.workspace_id = clock.workspace_id
WHERE clock.breached_at IS NOT NULL AND deleted_at IS NULL;
