-- DropIndex
DROP INDEX "awards_workspace_id_employee_id_idx";

-- CreateTable
CREATE TABLE "leave_recounts" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "application_id" UUID NOT NULL,
    "from" DATE NOT NULL,
    "to" DATE NOT NULL,

    CONSTRAINT "leave_recounts_pkey" PRIMARY KEY ("workspace_id","application_id")
);

-- CreateIndex
CREATE INDEX "awards_workspace_id_employee_id_created_at_id_idx" ON "awards"("workspace_id", "employee_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "announcements_workspace_id_created_by_idx" ON "announcements"("workspace_id", "created_by");

-- CreateIndex
CREATE INDEX "hrm_documents_workspace_id_created_by_idx" ON "hrm_documents"("workspace_id", "created_by");

-- CreateIndex
CREATE INDEX "events_workspace_id_created_by_idx" ON "events"("workspace_id", "created_by");

-- AddForeignKey
ALTER TABLE "leave_recounts" ADD CONSTRAINT "leave_recounts_workspace_id_application_id_fkey" FOREIGN KEY ("workspace_id", "application_id") REFERENCES "leave_applications"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Leave in the order of its days, whatever its state.
CREATE INDEX "leave_applications_workspace_id_from_id_idx" ON "leave_applications" ("workspace_id", "from" DESC, "id" DESC);

-- Awards that everybody sees, in the order of a list.
CREATE INDEX "awards_public_idx" ON "awards" ("workspace_id", "created_at" DESC, "id" DESC) WHERE "public";

-- What concerns somebody, among very many notices that concern others.
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE INDEX "announcements_audience_idx" ON "announcements" USING gin ("workspace_id", "audience");
CREATE INDEX "hrm_documents_audience_idx" ON "hrm_documents" USING gin ("workspace_id", "audience");
CREATE INDEX "events_audience_idx" ON "events" USING gin ("workspace_id", "audience");

-- The system's own notes of what is to be counted: what comes of it is audited.
SELECT suite_confine('leave_recounts');
