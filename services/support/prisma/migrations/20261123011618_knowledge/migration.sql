-- CreateTable
CREATE TABLE "faqs" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "question" TEXT NOT NULL,
    "answer" TEXT NOT NULL,
    "answer_html" TEXT NOT NULL,
    "category_id" UUID,
    "position" INTEGER NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "search" tsvector GENERATED ALWAYS AS (setweight(to_tsvector('simple', "question"), 'A') || setweight(to_tsvector('simple', "answer"), 'B')) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "faqs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "articles" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "title" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "body_html" TEXT NOT NULL,
    "excerpt" TEXT NOT NULL,
    "category_id" UUID,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "author_id" UUID,
    "published_at" TIMESTAMPTZ(3),
    "revision" INTEGER NOT NULL DEFAULT 1,
    "revised_by" UUID,
    "revised_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "search" tsvector GENERATED ALWAYS AS (setweight(to_tsvector('simple', "title"), 'A') || setweight(to_tsvector('simple', left("body", 100000)), 'B')) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "articles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "article_revisions" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "article_id" UUID NOT NULL,
    "revision" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "by" UUID,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "article_revisions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "article_slugs" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "slug" TEXT NOT NULL,
    "article_id" UUID NOT NULL,

    CONSTRAINT "article_slugs_pkey" PRIMARY KEY ("workspace_id","slug")
);

-- CreateTable
CREATE TABLE "article_counts" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "article_id" UUID NOT NULL,
    "views" INTEGER NOT NULL DEFAULT 0,
    "helpful" INTEGER NOT NULL DEFAULT 0,
    "not_helpful" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "article_counts_pkey" PRIMARY KEY ("workspace_id","article_id")
);

-- CreateTable
CREATE TABLE "article_views" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "article_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "day" DATE NOT NULL,

    CONSTRAINT "article_views_pkey" PRIMARY KEY ("workspace_id","article_id","user_id")
);

-- CreateTable
CREATE TABLE "article_votes" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "article_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "helpful" BOOLEAN NOT NULL,

    CONSTRAINT "article_votes_pkey" PRIMARY KEY ("workspace_id","article_id","user_id")
);

-- CreateIndex
CREATE INDEX "faqs_workspace_id_position_id_idx" ON "faqs"("workspace_id", "position", "id");

-- CreateIndex
CREATE INDEX "faqs_workspace_id_category_id_position_idx" ON "faqs"("workspace_id", "category_id", "position");

-- CreateIndex
CREATE UNIQUE INDEX "faqs_workspace_id_id_key" ON "faqs"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "articles_workspace_id_created_at_id_idx" ON "articles"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "articles_workspace_id_status_published_at_id_idx" ON "articles"("workspace_id", "status", "published_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "articles_workspace_id_category_id_idx" ON "articles"("workspace_id", "category_id");

-- CreateIndex
CREATE UNIQUE INDEX "articles_workspace_id_id_key" ON "articles"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "articles_workspace_id_slug_key" ON "articles"("workspace_id", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "article_revisions_workspace_id_id_key" ON "article_revisions"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "article_revisions_workspace_id_article_id_revision_key" ON "article_revisions"("workspace_id", "article_id", "revision");

-- CreateIndex
CREATE INDEX "article_slugs_workspace_id_article_id_idx" ON "article_slugs"("workspace_id", "article_id");

-- AddForeignKey
ALTER TABLE "faqs" ADD CONSTRAINT "faqs_workspace_id_category_id_fkey" FOREIGN KEY ("workspace_id", "category_id") REFERENCES "categories"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "articles" ADD CONSTRAINT "articles_workspace_id_category_id_fkey" FOREIGN KEY ("workspace_id", "category_id") REFERENCES "categories"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "articles" ADD CONSTRAINT "articles_workspace_id_author_id_fkey" FOREIGN KEY ("workspace_id", "author_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "article_revisions" ADD CONSTRAINT "article_revisions_workspace_id_article_id_fkey" FOREIGN KEY ("workspace_id", "article_id") REFERENCES "articles"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "article_slugs" ADD CONSTRAINT "article_slugs_workspace_id_article_id_fkey" FOREIGN KEY ("workspace_id", "article_id") REFERENCES "articles"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "article_counts" ADD CONSTRAINT "article_counts_workspace_id_article_id_fkey" FOREIGN KEY ("workspace_id", "article_id") REFERENCES "articles"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "article_views" ADD CONSTRAINT "article_views_workspace_id_article_id_fkey" FOREIGN KEY ("workspace_id", "article_id") REFERENCES "articles"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "article_votes" ADD CONSTRAINT "article_votes_workspace_id_article_id_fkey" FOREIGN KEY ("workspace_id", "article_id") REFERENCES "articles"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What Prisma cannot say. A longer text than the words of half an article would be more than a search column can hold.
CREATE INDEX "faqs_workspace_id_search_idx" ON "faqs" USING gin ("workspace_id", "search");
CREATE INDEX "articles_workspace_id_search_idx" ON "articles" USING gin ("workspace_id", "search");
CREATE INDEX "articles_tags_idx" ON "articles" USING gin ("workspace_id", "tags");

CREATE UNIQUE INDEX "faqs_question_key" ON "faqs" ("workspace_id", "category_id", lower("question")) NULLS NOT DISTINCT;

ALTER TABLE "faqs"
  ADD CONSTRAINT "faqs_question_check" CHECK ("question" <> ''),
  ADD CONSTRAINT "faqs_answer_check" CHECK ("answer" <> ''),
  ADD CONSTRAINT "faqs_position_check" CHECK ("position" >= 0);
ALTER TABLE "articles"
  ADD CONSTRAINT "articles_title_check" CHECK ("title" <> ''),
  ADD CONSTRAINT "articles_slug_check" CHECK ("slug" ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length("slug") <= 80),
  ADD CONSTRAINT "articles_status_check" CHECK ("status" IN ('draft', 'published', 'archived')),
  ADD CONSTRAINT "articles_published_check" CHECK ("status" = 'draft' OR "published_at" IS NOT NULL),
  ADD CONSTRAINT "articles_revision_check" CHECK ("revision" >= 1);
ALTER TABLE "article_counts"
  ADD CONSTRAINT "article_counts_check" CHECK ("views" >= 0 AND "helpful" >= 0 AND "not_helpful" >= 0);

-- Workspace, audit and version; HTML is made of what is audited.
SELECT suite_record('faqs', 'answer_html');
SELECT suite_record('articles', 'body_html');
-- Former texts, addresses, and what readers leave: confined, and not audited a second time.
SELECT suite_confine(plain::regclass) FROM unnest(ARRAY['article_revisions', 'article_slugs', 'article_counts', 'article_views', 'article_votes']) AS plain;
