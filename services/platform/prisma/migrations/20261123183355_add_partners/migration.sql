-- Partners, and the badges that they show.

-- CreateTable
CREATE TABLE "partners" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "tier" TEXT NOT NULL,
    "since" DATE NOT NULL,
    "url" TEXT,
    "verified" BOOLEAN NOT NULL DEFAULT false,
    "status" TEXT NOT NULL DEFAULT 'active',
    "revoked_at" TIMESTAMPTZ(3),
    "token" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "name")) STORED,

    CONSTRAINT "partners_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "partners_token_hash_key" ON "partners"("token_hash");

-- CreateIndex
CREATE INDEX "partners_workspace_id_created_at_id_idx" ON "partners"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "partners_workspace_id_updated_at_id_idx" ON "partners"("workspace_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "partners_workspace_id_id_key" ON "partners"("workspace_id", "id");

CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE INDEX "partners_search_idx" ON "partners" USING gin ("workspace_id", "search");

ALTER TABLE partners
  ADD CONSTRAINT partners_tier CHECK (tier IN ('registered', 'silver', 'gold', 'platinum')),
  ADD CONSTRAINT partners_status CHECK (status IN ('active', 'revoked')),
  ADD CONSTRAINT partners_revoked CHECK ((status = 'revoked') = (revoked_at IS NOT NULL));

-- Workspace, audit and version
SELECT suite_record('partners', 'token_hash');
