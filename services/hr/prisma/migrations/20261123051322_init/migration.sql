-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "email" TEXT,
    "phone" TEXT,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "as_of" INTEGER NOT NULL DEFAULT 0,
    "status_as_of" INTEGER NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", '') || ' ' || coalesce("email", '') || ' ' || coalesce("phone", ''))) STORED,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "settings" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "timezone" TEXT NOT NULL DEFAULT 'UTC',
    "tax_year_start" TEXT NOT NULL DEFAULT '01-01',
    "four_eyes" BOOLEAN NOT NULL DEFAULT true,
    "retention_years" INTEGER NOT NULL DEFAULT 10,
    "ack_days" INTEGER NOT NULL DEFAULT 14,
    "approval_reminder_days" INTEGER NOT NULL DEFAULT 3,
    "show_birthdays" BOOLEAN NOT NULL DEFAULT true,
    "clock_on_leave" BOOLEAN NOT NULL DEFAULT false,
    "working_days_basis" TEXT NOT NULL DEFAULT 'weekdays_less_holidays',
    "overtime_pay" TEXT NOT NULL DEFAULT 'approved',
    "overtime_factor" DECIMAL(18,6) NOT NULL DEFAULT 1.5,
    "entitlement_step" DECIMAL(18,6) NOT NULL DEFAULT 0.5,
    "recovery_max_percent" INTEGER NOT NULL DEFAULT 100,
    "arrears_months" INTEGER NOT NULL DEFAULT 12,
    "payroll_day" INTEGER NOT NULL DEFAULT 25,
    "auto_draft" BOOLEAN NOT NULL DEFAULT false,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "settings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "number_counters" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "type" TEXT NOT NULL,
    "year" SMALLINT NOT NULL,
    "last" INTEGER NOT NULL,

    CONSTRAINT "number_counters_pkey" PRIMARY KEY ("workspace_id","type","year")
);

-- CreateTable
CREATE TABLE "data_keys" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "purpose" TEXT NOT NULL DEFAULT 'values',
    "wrapped" TEXT NOT NULL,
    "master" TEXT NOT NULL,
    "current" BOOLEAN NOT NULL DEFAULT true,
    "created_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "data_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sensitive_accesses" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "by" UUID NOT NULL,
    "employee_id" UUID NOT NULL,
    "fields" TEXT[],
    "request_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sensitive_accesses_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "branches" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "name")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "branches_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "departments" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "branch_id" UUID NOT NULL,
    "parent_id" UUID,
    "head_id" UUID,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "name")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "departments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "designations" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "department_id" UUID NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "name")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "designations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "document_types" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "required" BOOLEAN NOT NULL DEFAULT false,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "name")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "document_types_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "shifts" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "start" TEXT NOT NULL,
    "end" TEXT NOT NULL,
    "break_minutes" INTEGER NOT NULL DEFAULT 0,
    "grace_late" INTEGER NOT NULL DEFAULT 0,
    "grace_early" INTEGER NOT NULL DEFAULT 0,
    "half_day_below" INTEGER NOT NULL DEFAULT 0,
    "absent_below" INTEGER NOT NULL DEFAULT 0,
    "days" SMALLINT[],
    "timezone" TEXT NOT NULL,
    "is_night" BOOLEAN NOT NULL DEFAULT false,
    "early_window_minutes" INTEGER NOT NULL DEFAULT 120,
    "late_window_minutes" INTEGER NOT NULL DEFAULT 240,
    "break_after_minutes" INTEGER NOT NULL DEFAULT 360,
    "overtime_after_minutes" INTEGER NOT NULL DEFAULT 15,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "name")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "shifts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "shift_versions" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "shift_id" UUID NOT NULL,
    "effective_from" DATE NOT NULL,
    "seq" INTEGER NOT NULL,
    "terms" JSONB NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "shift_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "holiday_calendars" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "branch_id" UUID,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "name")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "holiday_calendars_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "holidays" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "calendar_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "from" DATE NOT NULL,
    "to" DATE NOT NULL,
    "paid" BOOLEAN NOT NULL DEFAULT true,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "name")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "holidays_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "employees" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "code" TEXT NOT NULL,
    "user_id" UUID,
    "name" TEXT NOT NULL,
    "email" TEXT,
    "phone" TEXT,
    "status" TEXT NOT NULL,
    "branch_id" UUID NOT NULL,
    "department_id" UUID NOT NULL,
    "designation_id" UUID NOT NULL,
    "manager_id" UUID,
    "shift_id" UUID,
    "calendar_id" UUID,
    "employment_type" TEXT NOT NULL,
    "joining_date" DATE NOT NULL,
    "exit_date" DATE,
    "probation_end" DATE,
    "notice_days" INTEGER,
    "dob" DATE,
    "gender" TEXT,
    "private_phone" TEXT,
    "address" TEXT,
    "emergency_contact" JSONB,
    "hide_birthday" BOOLEAN NOT NULL DEFAULT false,
    "bank_sealed" TEXT,
    "national_id_sealed" TEXT,
    "national_id_index" BYTEA,
    "tax_id_sealed" TEXT,
    "tax_id_index" BYTEA,
    "ytd_opening_sealed" TEXT,
    "external_id" TEXT,
    "erased_at" TIMESTAMPTZ(3),
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "name" || ' ' || "code" || ' ' || coalesce("email", ''))) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "employees_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "employments" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "employee_id" UUID NOT NULL,
    "joining_date" DATE NOT NULL,
    "exit_date" DATE,
    "exit_cause" TEXT,
    "created_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "employments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "employee_history" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "employee_id" UUID NOT NULL,
    "employment_id" UUID NOT NULL,
    "field" TEXT NOT NULL,
    "effective_from" DATE NOT NULL,
    "seq" INTEGER NOT NULL,
    "value" TEXT,
    "value_sealed" TEXT,
    "cause" TEXT NOT NULL,
    "cause_id" UUID,
    "created_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "employee_history_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "employee_documents" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "employee_id" UUID NOT NULL,
    "type_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "mime" TEXT NOT NULL,
    "expiry" DATE,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "employee_documents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "awards" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "employee_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "date" DATE NOT NULL,
    "title" TEXT NOT NULL,
    "gift" TEXT,
    "public" BOOLEAN NOT NULL DEFAULT false,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "title")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "awards_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "promotions" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "employee_id" UUID NOT NULL,
    "from_designation_id" UUID NOT NULL,
    "to_designation_id" UUID NOT NULL,
    "salary_sealed" TEXT,
    "effective_date" DATE NOT NULL,
    "reason" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "decided_by" UUID,
    "decided_at" TIMESTAMPTZ(3),
    "remark" TEXT,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "promotions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "employee_transfers" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "employee_id" UUID NOT NULL,
    "from_branch_id" UUID NOT NULL,
    "from_department_id" UUID NOT NULL,
    "from_manager_id" UUID,
    "to_branch_id" UUID,
    "to_department_id" UUID,
    "to_manager_id" UUID,
    "effective_date" DATE NOT NULL,
    "reason" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "decided_by" UUID,
    "decided_at" TIMESTAMPTZ(3),
    "remark" TEXT,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "employee_transfers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "resignations" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "employee_id" UUID NOT NULL,
    "notice_date" DATE NOT NULL,
    "last_day" DATE NOT NULL,
    "reason" TEXT,
    "waive_notice" BOOLEAN NOT NULL DEFAULT false,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "decided_by" UUID,
    "decided_at" TIMESTAMPTZ(3),
    "remark" TEXT,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "resignations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "terminations" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "employee_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "notice_date" DATE,
    "date" DATE NOT NULL,
    "reason" TEXT,
    "waive_notice" BOOLEAN NOT NULL DEFAULT false,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "decided_by" UUID,
    "decided_at" TIMESTAMPTZ(3),
    "remark" TEXT,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "terminations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "warnings" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "employee_id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "date" DATE NOT NULL,
    "text" TEXT NOT NULL,
    "expires_on" DATE,
    "status" TEXT NOT NULL DEFAULT 'issued',
    "acknowledged_at" TIMESTAMPTZ(3),
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "subject")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "warnings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "complaints" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "from_employee_id" UUID,
    "author_sealed" TEXT,
    "against_employee_id" UUID,
    "subject" TEXT NOT NULL,
    "date" DATE NOT NULL,
    "description" TEXT NOT NULL,
    "anonymous" BOOLEAN NOT NULL DEFAULT false,
    "status" TEXT NOT NULL DEFAULT 'open',
    "outcome" TEXT,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "subject")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "complaints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "announcements" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "requires_ack" BOOLEAN NOT NULL DEFAULT false,
    "start" DATE,
    "end" DATE,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "published_at" TIMESTAMPTZ(3),
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "title")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "announcements_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "hrm_documents" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "title" TEXT NOT NULL,
    "type_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "mime" TEXT NOT NULL,
    "requires_ack" BOOLEAN NOT NULL DEFAULT false,
    "start" DATE,
    "end" DATE,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "published_at" TIMESTAMPTZ(3),
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "title")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "hrm_documents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "title" TEXT NOT NULL,
    "start" TIMESTAMPTZ(3) NOT NULL,
    "end" TIMESTAMPTZ(3) NOT NULL,
    "timezone" TEXT NOT NULL,
    "location" TEXT,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "published_at" TIMESTAMPTZ(3),
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "title")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audience_parts" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "announcement_id" UUID,
    "document_id" UUID,
    "event_id" UUID,
    "branch_id" UUID,
    "department_id" UUID,
    "designation_id" UUID,
    "employee_id" UUID,
    "created_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audience_parts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "acknowledgments" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "announcement_id" UUID,
    "document_id" UUID,
    "employee_id" UUID NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "due_on" DATE NOT NULL,
    "at" TIMESTAMPTZ(3),
    "reminded_at" TIMESTAMPTZ(3),
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "acknowledgments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attendances" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "employee_id" UUID NOT NULL,
    "local_date" DATE NOT NULL,
    "timezone" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    "status" TEXT,
    "shift_id" UUID,
    "shift_terms" JSONB,
    "shift_start" TIMESTAMPTZ(3),
    "shift_end" TIMESTAMPTZ(3),
    "window_start" TIMESTAMPTZ(3),
    "window_end" TIMESTAMPTZ(3),
    "first_in" TIMESTAMPTZ(3),
    "last_out" TIMESTAMPTZ(3),
    "worked_minutes" INTEGER NOT NULL DEFAULT 0,
    "break_minutes" INTEGER NOT NULL DEFAULT 0,
    "expected_minutes" INTEGER NOT NULL DEFAULT 0,
    "late_minutes" INTEGER NOT NULL DEFAULT 0,
    "early_minutes" INTEGER NOT NULL DEFAULT 0,
    "overtime_minutes" INTEGER NOT NULL DEFAULT 0,
    "overtime_approved" BOOLEAN,
    "flags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "leave_application_id" UUID,
    "manual" BOOLEAN NOT NULL DEFAULT false,
    "corrected_by" UUID,
    "corrected_at" TIMESTAMPTZ(3),
    "reason" TEXT,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "attendances_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attendance_events" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "employee_id" UUID NOT NULL,
    "attendance_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "timezone" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "ip" TEXT,
    "geo" JSONB,
    "note" TEXT,
    "work_from_home" BOOLEAN NOT NULL DEFAULT false,
    "client_id" UUID,
    "device_id" TEXT,
    "voided_at" TIMESTAMPTZ(3),
    "voided_by" UUID,
    "created_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "attendance_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "leave_types" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "days_per_year" DECIMAL(7,2) NOT NULL DEFAULT 0,
    "accrual" TEXT NOT NULL DEFAULT 'upfront',
    "paid" BOOLEAN NOT NULL DEFAULT true,
    "carry_forward_max" DECIMAL(7,2) NOT NULL DEFAULT 0,
    "carry_expires_after_days" INTEGER,
    "carry_expires_on" TEXT,
    "max_consecutive" INTEGER,
    "min_notice_days" INTEGER NOT NULL DEFAULT 0,
    "allow_half_day" BOOLEAN NOT NULL DEFAULT true,
    "allow_negative_to" DECIMAL(7,2) NOT NULL DEFAULT 0,
    "include_holidays" BOOLEAN NOT NULL DEFAULT false,
    "applicable_after_days" INTEGER NOT NULL DEFAULT 0,
    "requires_document_after" INTEGER,
    "requires_reason" BOOLEAN NOT NULL DEFAULT false,
    "encashable" BOOLEAN NOT NULL DEFAULT false,
    "gender" TEXT,
    "employment_types" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "color" TEXT NOT NULL DEFAULT '#64748b',
    "plan_ahead" BOOLEAN NOT NULL DEFAULT false,
    "second_step" BOOLEAN NOT NULL DEFAULT false,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "name" || ' ' || "code")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "leave_types_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "leave_applications" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "employee_id" UUID NOT NULL,
    "leave_type_id" UUID NOT NULL,
    "from" DATE NOT NULL,
    "to" DATE NOT NULL,
    "half_day" TEXT NOT NULL DEFAULT 'none',
    "starts_midday" BOOLEAN NOT NULL DEFAULT false,
    "ends_midday" BOOLEAN NOT NULL DEFAULT false,
    "days" DECIMAL(7,2) NOT NULL,
    "reason" TEXT,
    "attachment_key" TEXT,
    "attachment_name" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "approver_id" UUID,
    "first_approved_by" UUID,
    "decided_by" UUID,
    "on_behalf_of" UUID,
    "decided_at" TIMESTAMPTZ(3),
    "remark" TEXT,
    "overrides" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "balance_before" DECIMAL(7,2),
    "half_days" int4range GENERATED ALWAYS AS (int4range(
        ("from" - DATE '2000-01-01') * 2 + CASE WHEN "half_day" = 'second' OR "starts_midday" THEN 1 ELSE 0 END,
        ("to" - DATE '2000-01-01' + 1) * 2 - CASE WHEN "half_day" = 'first' OR "ends_midday" THEN 1 ELSE 0 END)) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "leave_applications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "leave_ledger" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "employee_id" UUID NOT NULL,
    "employment_id" UUID NOT NULL,
    "leave_type_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "days" DECIMAL(7,2) NOT NULL,
    "valid_from" DATE,
    "valid_to" DATE,
    "lot_id" UUID,
    "application_id" UUID,
    "day" DATE,
    "source_key" TEXT,
    "reason" TEXT,
    "created_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "leave_ledger_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deputies" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "employee_id" UUID NOT NULL,
    "deputy_id" UUID NOT NULL,
    "from" DATE NOT NULL,
    "to" DATE NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "deputies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "salary_components" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "calc" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "taxable" BOOLEAN NOT NULL DEFAULT true,
    "prorated" BOOLEAN NOT NULL DEFAULT true,
    "account_id" UUID,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "name" || ' ' || "code")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "salary_components_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "salary_component_versions" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "component_id" UUID NOT NULL,
    "effective_from" DATE NOT NULL,
    "seq" INTEGER NOT NULL,
    "terms" JSONB NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "salary_component_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payrolls" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "number" TEXT,
    "title" TEXT NOT NULL,
    "type" TEXT NOT NULL DEFAULT 'regular',
    "frequency" TEXT NOT NULL DEFAULT 'monthly',
    "period_start" DATE NOT NULL,
    "period_end" DATE NOT NULL,
    "pay_date" DATE NOT NULL,
    "branch_id" UUID,
    "department_id" UUID,
    "excluded_employee_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "currency" CHAR(3) NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "calculation_no" INTEGER NOT NULL DEFAULT 0,
    "settings" JSONB,
    "employee_count" INTEGER NOT NULL DEFAULT 0,
    "done" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "gross" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "deductions" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "employer_cost" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "net" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "run_by" UUID,
    "run_at" TIMESTAMPTZ(3),
    "approved_by" UUID,
    "approved_at" TIMESTAMPTZ(3),
    "paid_at" TIMESTAMPTZ(3),
    "journal_date" DATE,
    "journal_id" UUID,
    "reason" TEXT,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "payrolls_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payroll_entries" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "payroll_id" UUID NOT NULL,
    "employee_id" UUID NOT NULL,
    "number" TEXT,
    "regular" BOOLEAN NOT NULL,
    "period_start" DATE NOT NULL,
    "period_end" DATE NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "failure_code" TEXT,
    "failure_message" TEXT,
    "inputs_sealed" TEXT,
    "inputs_hash" TEXT,
    "figures_sealed" TEXT,
    "lines_sealed" TEXT,
    "ytd_sealed" TEXT,
    "bank_sealed" TEXT,
    "explain_sealed" TEXT,
    "paid_on" DATE,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "payroll_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payroll_one_offs" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "payroll_id" UUID NOT NULL,
    "employee_id" UUID NOT NULL,
    "component_id" UUID NOT NULL,
    "amount_sealed" TEXT NOT NULL,
    "note" TEXT,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "payroll_one_offs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "employee_loans" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "employee_id" UUID NOT NULL,
    "amount_sealed" TEXT NOT NULL,
    "instalment_sealed" TEXT NOT NULL,
    "first_period" DATE NOT NULL,
    "paid_from" UUID,
    "status" TEXT NOT NULL DEFAULT 'open',
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "employee_loans_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "recoveries" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "employee_id" UUID NOT NULL,
    "entry_id" UUID NOT NULL,
    "component_id" UUID,
    "amount_sealed" TEXT NOT NULL,
    "left_sealed" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'open',
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "recoveries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "users_workspace_id_kind_name_id_idx" ON "users"("workspace_id", "kind", "name", "id");

-- CreateIndex
CREATE INDEX "users_workspace_id_email_idx" ON "users"("workspace_id", "email");

-- CreateIndex
CREATE INDEX "users_workspace_id_updated_at_id_idx" ON "users"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "users_workspace_id_id_key" ON "users"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "settings_workspace_id_created_at_id_idx" ON "settings"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "settings_workspace_id_id_key" ON "settings"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "settings_workspace_id_key" ON "settings"("workspace_id");

-- CreateIndex
CREATE UNIQUE INDEX "data_keys_workspace_id_id_key" ON "data_keys"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "sensitive_accesses_workspace_id_employee_id_at_idx" ON "sensitive_accesses"("workspace_id", "employee_id", "at");

-- CreateIndex
CREATE INDEX "sensitive_accesses_workspace_id_at_id_idx" ON "sensitive_accesses"("workspace_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "sensitive_accesses_workspace_id_id_key" ON "sensitive_accesses"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "branches_workspace_id_created_at_id_idx" ON "branches"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "branches_workspace_id_id_key" ON "branches"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "departments_workspace_id_created_at_id_idx" ON "departments"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "departments_workspace_id_branch_id_idx" ON "departments"("workspace_id", "branch_id");

-- CreateIndex
CREATE INDEX "departments_workspace_id_parent_id_idx" ON "departments"("workspace_id", "parent_id");

-- CreateIndex
CREATE INDEX "departments_workspace_id_head_id_idx" ON "departments"("workspace_id", "head_id");

-- CreateIndex
CREATE UNIQUE INDEX "departments_workspace_id_id_key" ON "departments"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "designations_workspace_id_created_at_id_idx" ON "designations"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "designations_workspace_id_department_id_idx" ON "designations"("workspace_id", "department_id");

-- CreateIndex
CREATE UNIQUE INDEX "designations_workspace_id_id_key" ON "designations"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "document_types_workspace_id_created_at_id_idx" ON "document_types"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "document_types_workspace_id_id_key" ON "document_types"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "shifts_workspace_id_created_at_id_idx" ON "shifts"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "shifts_workspace_id_id_key" ON "shifts"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "shift_versions_workspace_id_id_key" ON "shift_versions"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "shift_versions_workspace_id_shift_id_effective_from_seq_key" ON "shift_versions"("workspace_id", "shift_id", "effective_from", "seq");

-- CreateIndex
CREATE INDEX "holiday_calendars_workspace_id_created_at_id_idx" ON "holiday_calendars"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "holiday_calendars_workspace_id_branch_id_idx" ON "holiday_calendars"("workspace_id", "branch_id");

-- CreateIndex
CREATE UNIQUE INDEX "holiday_calendars_workspace_id_id_key" ON "holiday_calendars"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "holidays_workspace_id_created_at_id_idx" ON "holidays"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "holidays_workspace_id_calendar_id_from_idx" ON "holidays"("workspace_id", "calendar_id", "from");

-- CreateIndex
CREATE UNIQUE INDEX "holidays_workspace_id_id_key" ON "holidays"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "employees_workspace_id_created_at_id_idx" ON "employees"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "employees_workspace_id_name_id_idx" ON "employees"("workspace_id", "name", "id");

-- CreateIndex
CREATE INDEX "employees_workspace_id_joining_date_id_idx" ON "employees"("workspace_id", "joining_date", "id");

-- CreateIndex
CREATE INDEX "employees_workspace_id_updated_at_id_idx" ON "employees"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "employees_workspace_id_status_idx" ON "employees"("workspace_id", "status");

-- CreateIndex
CREATE INDEX "employees_workspace_id_user_id_idx" ON "employees"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "employees_workspace_id_branch_id_idx" ON "employees"("workspace_id", "branch_id");

-- CreateIndex
CREATE INDEX "employees_workspace_id_department_id_idx" ON "employees"("workspace_id", "department_id");

-- CreateIndex
CREATE INDEX "employees_workspace_id_designation_id_idx" ON "employees"("workspace_id", "designation_id");

-- CreateIndex
CREATE INDEX "employees_workspace_id_manager_id_idx" ON "employees"("workspace_id", "manager_id");

-- CreateIndex
CREATE INDEX "employees_workspace_id_shift_id_idx" ON "employees"("workspace_id", "shift_id");

-- CreateIndex
CREATE INDEX "employees_workspace_id_calendar_id_idx" ON "employees"("workspace_id", "calendar_id");

-- CreateIndex
CREATE UNIQUE INDEX "employees_workspace_id_id_key" ON "employees"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "employees_workspace_id_code_key" ON "employees"("workspace_id", "code");

-- CreateIndex
CREATE UNIQUE INDEX "employees_workspace_id_external_id_key" ON "employees"("workspace_id", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "employments_workspace_id_id_key" ON "employments"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "employments_workspace_id_employee_id_joining_date_key" ON "employments"("workspace_id", "employee_id", "joining_date");

-- CreateIndex
CREATE INDEX "employee_history_workspace_id_effective_from_idx" ON "employee_history"("workspace_id", "effective_from");

-- CreateIndex
CREATE INDEX "employee_history_workspace_id_employment_id_idx" ON "employee_history"("workspace_id", "employment_id");

-- CreateIndex
CREATE UNIQUE INDEX "employee_history_workspace_id_id_key" ON "employee_history"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "employee_history_workspace_id_employee_id_field_effective_f_key" ON "employee_history"("workspace_id", "employee_id", "field", "effective_from", "seq");

-- CreateIndex
CREATE INDEX "employee_documents_workspace_id_created_at_id_idx" ON "employee_documents"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "employee_documents_workspace_id_expiry_idx" ON "employee_documents"("workspace_id", "expiry");

-- CreateIndex
CREATE INDEX "employee_documents_workspace_id_employee_id_idx" ON "employee_documents"("workspace_id", "employee_id");

-- CreateIndex
CREATE INDEX "employee_documents_workspace_id_type_id_idx" ON "employee_documents"("workspace_id", "type_id");

-- CreateIndex
CREATE UNIQUE INDEX "employee_documents_workspace_id_id_key" ON "employee_documents"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "awards_workspace_id_created_at_id_idx" ON "awards"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "awards_workspace_id_employee_id_idx" ON "awards"("workspace_id", "employee_id");

-- CreateIndex
CREATE UNIQUE INDEX "awards_workspace_id_id_key" ON "awards"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "promotions_workspace_id_created_at_id_idx" ON "promotions"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "promotions_workspace_id_status_effective_date_idx" ON "promotions"("workspace_id", "status", "effective_date");

-- CreateIndex
CREATE INDEX "promotions_workspace_id_employee_id_idx" ON "promotions"("workspace_id", "employee_id");

-- CreateIndex
CREATE INDEX "promotions_workspace_id_from_designation_id_idx" ON "promotions"("workspace_id", "from_designation_id");

-- CreateIndex
CREATE INDEX "promotions_workspace_id_to_designation_id_idx" ON "promotions"("workspace_id", "to_designation_id");

-- CreateIndex
CREATE UNIQUE INDEX "promotions_workspace_id_id_key" ON "promotions"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "employee_transfers_workspace_id_created_at_id_idx" ON "employee_transfers"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "employee_transfers_workspace_id_status_effective_date_idx" ON "employee_transfers"("workspace_id", "status", "effective_date");

-- CreateIndex
CREATE INDEX "employee_transfers_workspace_id_employee_id_idx" ON "employee_transfers"("workspace_id", "employee_id");

-- CreateIndex
CREATE INDEX "employee_transfers_workspace_id_from_branch_id_idx" ON "employee_transfers"("workspace_id", "from_branch_id");

-- CreateIndex
CREATE INDEX "employee_transfers_workspace_id_from_department_id_idx" ON "employee_transfers"("workspace_id", "from_department_id");

-- CreateIndex
CREATE INDEX "employee_transfers_workspace_id_from_manager_id_idx" ON "employee_transfers"("workspace_id", "from_manager_id");

-- CreateIndex
CREATE INDEX "employee_transfers_workspace_id_to_branch_id_idx" ON "employee_transfers"("workspace_id", "to_branch_id");

-- CreateIndex
CREATE INDEX "employee_transfers_workspace_id_to_department_id_idx" ON "employee_transfers"("workspace_id", "to_department_id");

-- CreateIndex
CREATE INDEX "employee_transfers_workspace_id_to_manager_id_idx" ON "employee_transfers"("workspace_id", "to_manager_id");

-- CreateIndex
CREATE UNIQUE INDEX "employee_transfers_workspace_id_id_key" ON "employee_transfers"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "resignations_workspace_id_created_at_id_idx" ON "resignations"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "resignations_workspace_id_status_last_day_idx" ON "resignations"("workspace_id", "status", "last_day");

-- CreateIndex
CREATE INDEX "resignations_workspace_id_employee_id_idx" ON "resignations"("workspace_id", "employee_id");

-- CreateIndex
CREATE UNIQUE INDEX "resignations_workspace_id_id_key" ON "resignations"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "terminations_workspace_id_created_at_id_idx" ON "terminations"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "terminations_workspace_id_status_date_idx" ON "terminations"("workspace_id", "status", "date");

-- CreateIndex
CREATE INDEX "terminations_workspace_id_employee_id_idx" ON "terminations"("workspace_id", "employee_id");

-- CreateIndex
CREATE UNIQUE INDEX "terminations_workspace_id_id_key" ON "terminations"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "warnings_workspace_id_created_at_id_idx" ON "warnings"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "warnings_workspace_id_status_expires_on_idx" ON "warnings"("workspace_id", "status", "expires_on");

-- CreateIndex
CREATE INDEX "warnings_workspace_id_employee_id_idx" ON "warnings"("workspace_id", "employee_id");

-- CreateIndex
CREATE UNIQUE INDEX "warnings_workspace_id_id_key" ON "warnings"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "complaints_workspace_id_created_at_id_idx" ON "complaints"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "complaints_workspace_id_status_idx" ON "complaints"("workspace_id", "status");

-- CreateIndex
CREATE INDEX "complaints_workspace_id_from_employee_id_idx" ON "complaints"("workspace_id", "from_employee_id");

-- CreateIndex
CREATE INDEX "complaints_workspace_id_against_employee_id_idx" ON "complaints"("workspace_id", "against_employee_id");

-- CreateIndex
CREATE UNIQUE INDEX "complaints_workspace_id_id_key" ON "complaints"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "announcements_workspace_id_created_at_id_idx" ON "announcements"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "announcements_workspace_id_status_start_idx" ON "announcements"("workspace_id", "status", "start");

-- CreateIndex
CREATE UNIQUE INDEX "announcements_workspace_id_id_key" ON "announcements"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "hrm_documents_workspace_id_created_at_id_idx" ON "hrm_documents"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "hrm_documents_workspace_id_status_idx" ON "hrm_documents"("workspace_id", "status");

-- CreateIndex
CREATE INDEX "hrm_documents_workspace_id_type_id_idx" ON "hrm_documents"("workspace_id", "type_id");

-- CreateIndex
CREATE UNIQUE INDEX "hrm_documents_workspace_id_id_key" ON "hrm_documents"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "events_workspace_id_created_at_id_idx" ON "events"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "events_workspace_id_status_start_idx" ON "events"("workspace_id", "status", "start");

-- CreateIndex
CREATE UNIQUE INDEX "events_workspace_id_id_key" ON "events"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "audience_parts_workspace_id_announcement_id_idx" ON "audience_parts"("workspace_id", "announcement_id");

-- CreateIndex
CREATE INDEX "audience_parts_workspace_id_document_id_idx" ON "audience_parts"("workspace_id", "document_id");

-- CreateIndex
CREATE INDEX "audience_parts_workspace_id_event_id_idx" ON "audience_parts"("workspace_id", "event_id");

-- CreateIndex
CREATE INDEX "audience_parts_workspace_id_branch_id_idx" ON "audience_parts"("workspace_id", "branch_id");

-- CreateIndex
CREATE INDEX "audience_parts_workspace_id_department_id_idx" ON "audience_parts"("workspace_id", "department_id");

-- CreateIndex
CREATE INDEX "audience_parts_workspace_id_designation_id_idx" ON "audience_parts"("workspace_id", "designation_id");

-- CreateIndex
CREATE INDEX "audience_parts_workspace_id_employee_id_idx" ON "audience_parts"("workspace_id", "employee_id");

-- CreateIndex
CREATE UNIQUE INDEX "audience_parts_workspace_id_id_key" ON "audience_parts"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "acknowledgments_workspace_id_created_at_id_idx" ON "acknowledgments"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "acknowledgments_workspace_id_status_due_on_idx" ON "acknowledgments"("workspace_id", "status", "due_on");

-- CreateIndex
CREATE INDEX "acknowledgments_workspace_id_announcement_id_idx" ON "acknowledgments"("workspace_id", "announcement_id");

-- CreateIndex
CREATE INDEX "acknowledgments_workspace_id_document_id_idx" ON "acknowledgments"("workspace_id", "document_id");

-- CreateIndex
CREATE INDEX "acknowledgments_workspace_id_employee_id_idx" ON "acknowledgments"("workspace_id", "employee_id");

-- CreateIndex
CREATE UNIQUE INDEX "acknowledgments_workspace_id_id_key" ON "acknowledgments"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "attendances_workspace_id_created_at_id_idx" ON "attendances"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "attendances_workspace_id_local_date_id_idx" ON "attendances"("workspace_id", "local_date", "id");

-- CreateIndex
CREATE INDEX "attendances_workspace_id_status_local_date_idx" ON "attendances"("workspace_id", "status", "local_date");

-- CreateIndex
CREATE INDEX "attendances_workspace_id_shift_id_idx" ON "attendances"("workspace_id", "shift_id");

-- CreateIndex
CREATE INDEX "attendances_workspace_id_leave_application_id_idx" ON "attendances"("workspace_id", "leave_application_id");

-- CreateIndex
CREATE UNIQUE INDEX "attendances_workspace_id_id_key" ON "attendances"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "attendances_workspace_id_employee_id_local_date_key" ON "attendances"("workspace_id", "employee_id", "local_date");

-- CreateIndex
CREATE INDEX "attendance_events_workspace_id_attendance_id_at_idx" ON "attendance_events"("workspace_id", "attendance_id", "at");

-- CreateIndex
CREATE INDEX "attendance_events_workspace_id_employee_id_at_idx" ON "attendance_events"("workspace_id", "employee_id", "at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "attendance_events_workspace_id_id_key" ON "attendance_events"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "leave_types_workspace_id_created_at_id_idx" ON "leave_types"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "leave_types_workspace_id_id_key" ON "leave_types"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "leave_applications_workspace_id_created_at_id_idx" ON "leave_applications"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "leave_applications_workspace_id_employee_id_from_idx" ON "leave_applications"("workspace_id", "employee_id", "from");

-- CreateIndex
CREATE INDEX "leave_applications_workspace_id_status_from_idx" ON "leave_applications"("workspace_id", "status", "from");

-- CreateIndex
CREATE INDEX "leave_applications_workspace_id_approver_id_status_idx" ON "leave_applications"("workspace_id", "approver_id", "status");

-- CreateIndex
CREATE INDEX "leave_applications_workspace_id_leave_type_id_idx" ON "leave_applications"("workspace_id", "leave_type_id");

-- CreateIndex
CREATE UNIQUE INDEX "leave_applications_workspace_id_id_key" ON "leave_applications"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "leave_ledger_workspace_id_employee_id_leave_type_id_valid_f_idx" ON "leave_ledger"("workspace_id", "employee_id", "leave_type_id", "valid_from");

-- CreateIndex
CREATE INDEX "leave_ledger_workspace_id_employment_id_idx" ON "leave_ledger"("workspace_id", "employment_id");

-- CreateIndex
CREATE INDEX "leave_ledger_workspace_id_leave_type_id_idx" ON "leave_ledger"("workspace_id", "leave_type_id");

-- CreateIndex
CREATE INDEX "leave_ledger_workspace_id_lot_id_idx" ON "leave_ledger"("workspace_id", "lot_id");

-- CreateIndex
CREATE INDEX "leave_ledger_workspace_id_application_id_idx" ON "leave_ledger"("workspace_id", "application_id");

-- CreateIndex
CREATE UNIQUE INDEX "leave_ledger_workspace_id_id_key" ON "leave_ledger"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "deputies_workspace_id_created_at_id_idx" ON "deputies"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "deputies_workspace_id_employee_id_from_idx" ON "deputies"("workspace_id", "employee_id", "from");

-- CreateIndex
CREATE INDEX "deputies_workspace_id_deputy_id_idx" ON "deputies"("workspace_id", "deputy_id");

-- CreateIndex
CREATE UNIQUE INDEX "deputies_workspace_id_id_key" ON "deputies"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "salary_components_workspace_id_created_at_id_idx" ON "salary_components"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "salary_components_workspace_id_id_key" ON "salary_components"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "salary_components_workspace_id_code_key" ON "salary_components"("workspace_id", "code");

-- CreateIndex
CREATE UNIQUE INDEX "salary_component_versions_workspace_id_id_key" ON "salary_component_versions"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "salary_component_versions_workspace_id_component_id_effecti_key" ON "salary_component_versions"("workspace_id", "component_id", "effective_from", "seq");

-- CreateIndex
CREATE INDEX "payrolls_workspace_id_created_at_id_idx" ON "payrolls"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "payrolls_workspace_id_period_start_idx" ON "payrolls"("workspace_id", "period_start");

-- CreateIndex
CREATE INDEX "payrolls_workspace_id_status_idx" ON "payrolls"("workspace_id", "status");

-- CreateIndex
CREATE INDEX "payrolls_workspace_id_branch_id_idx" ON "payrolls"("workspace_id", "branch_id");

-- CreateIndex
CREATE INDEX "payrolls_workspace_id_department_id_idx" ON "payrolls"("workspace_id", "department_id");

-- CreateIndex
CREATE UNIQUE INDEX "payrolls_workspace_id_id_key" ON "payrolls"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "payrolls_workspace_id_number_key" ON "payrolls"("workspace_id", "number");

-- CreateIndex
CREATE INDEX "payroll_entries_workspace_id_created_at_id_idx" ON "payroll_entries"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "payroll_entries_workspace_id_employee_id_period_start_idx" ON "payroll_entries"("workspace_id", "employee_id", "period_start");

-- CreateIndex
CREATE UNIQUE INDEX "payroll_entries_workspace_id_id_key" ON "payroll_entries"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "payroll_entries_workspace_id_payroll_id_employee_id_key" ON "payroll_entries"("workspace_id", "payroll_id", "employee_id");

-- CreateIndex
CREATE UNIQUE INDEX "payroll_entries_workspace_id_number_key" ON "payroll_entries"("workspace_id", "number");

-- CreateIndex
CREATE INDEX "payroll_one_offs_workspace_id_created_at_id_idx" ON "payroll_one_offs"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "payroll_one_offs_workspace_id_payroll_id_idx" ON "payroll_one_offs"("workspace_id", "payroll_id");

-- CreateIndex
CREATE INDEX "payroll_one_offs_workspace_id_employee_id_idx" ON "payroll_one_offs"("workspace_id", "employee_id");

-- CreateIndex
CREATE INDEX "payroll_one_offs_workspace_id_component_id_idx" ON "payroll_one_offs"("workspace_id", "component_id");

-- CreateIndex
CREATE UNIQUE INDEX "payroll_one_offs_workspace_id_id_key" ON "payroll_one_offs"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "employee_loans_workspace_id_created_at_id_idx" ON "employee_loans"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "employee_loans_workspace_id_employee_id_idx" ON "employee_loans"("workspace_id", "employee_id");

-- CreateIndex
CREATE UNIQUE INDEX "employee_loans_workspace_id_id_key" ON "employee_loans"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "recoveries_workspace_id_created_at_id_idx" ON "recoveries"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "recoveries_workspace_id_employee_id_status_idx" ON "recoveries"("workspace_id", "employee_id", "status");

-- CreateIndex
CREATE INDEX "recoveries_workspace_id_entry_id_idx" ON "recoveries"("workspace_id", "entry_id");

-- CreateIndex
CREATE INDEX "recoveries_workspace_id_component_id_idx" ON "recoveries"("workspace_id", "component_id");

-- CreateIndex
CREATE UNIQUE INDEX "recoveries_workspace_id_id_key" ON "recoveries"("workspace_id", "id");

-- AddForeignKey
ALTER TABLE "departments" ADD CONSTRAINT "departments_workspace_id_branch_id_fkey" FOREIGN KEY ("workspace_id", "branch_id") REFERENCES "branches"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "departments" ADD CONSTRAINT "departments_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "departments"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "departments" ADD CONSTRAINT "departments_workspace_id_head_id_fkey" FOREIGN KEY ("workspace_id", "head_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "designations" ADD CONSTRAINT "designations_workspace_id_department_id_fkey" FOREIGN KEY ("workspace_id", "department_id") REFERENCES "departments"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "shift_versions" ADD CONSTRAINT "shift_versions_workspace_id_shift_id_fkey" FOREIGN KEY ("workspace_id", "shift_id") REFERENCES "shifts"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "holiday_calendars" ADD CONSTRAINT "holiday_calendars_workspace_id_branch_id_fkey" FOREIGN KEY ("workspace_id", "branch_id") REFERENCES "branches"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "holidays" ADD CONSTRAINT "holidays_workspace_id_calendar_id_fkey" FOREIGN KEY ("workspace_id", "calendar_id") REFERENCES "holiday_calendars"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "employees" ADD CONSTRAINT "employees_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "employees" ADD CONSTRAINT "employees_workspace_id_branch_id_fkey" FOREIGN KEY ("workspace_id", "branch_id") REFERENCES "branches"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "employees" ADD CONSTRAINT "employees_workspace_id_department_id_fkey" FOREIGN KEY ("workspace_id", "department_id") REFERENCES "departments"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "employees" ADD CONSTRAINT "employees_workspace_id_designation_id_fkey" FOREIGN KEY ("workspace_id", "designation_id") REFERENCES "designations"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "employees" ADD CONSTRAINT "employees_workspace_id_manager_id_fkey" FOREIGN KEY ("workspace_id", "manager_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "employees" ADD CONSTRAINT "employees_workspace_id_shift_id_fkey" FOREIGN KEY ("workspace_id", "shift_id") REFERENCES "shifts"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "employees" ADD CONSTRAINT "employees_workspace_id_calendar_id_fkey" FOREIGN KEY ("workspace_id", "calendar_id") REFERENCES "holiday_calendars"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "employments" ADD CONSTRAINT "employments_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "employee_history" ADD CONSTRAINT "employee_history_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "employee_history" ADD CONSTRAINT "employee_history_workspace_id_employment_id_fkey" FOREIGN KEY ("workspace_id", "employment_id") REFERENCES "employments"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "employee_documents" ADD CONSTRAINT "employee_documents_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "employee_documents" ADD CONSTRAINT "employee_documents_workspace_id_type_id_fkey" FOREIGN KEY ("workspace_id", "type_id") REFERENCES "document_types"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "awards" ADD CONSTRAINT "awards_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "promotions" ADD CONSTRAINT "promotions_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "promotions" ADD CONSTRAINT "promotions_workspace_id_from_designation_id_fkey" FOREIGN KEY ("workspace_id", "from_designation_id") REFERENCES "designations"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "promotions" ADD CONSTRAINT "promotions_workspace_id_to_designation_id_fkey" FOREIGN KEY ("workspace_id", "to_designation_id") REFERENCES "designations"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "employee_transfers" ADD CONSTRAINT "employee_transfers_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "employee_transfers" ADD CONSTRAINT "employee_transfers_workspace_id_from_branch_id_fkey" FOREIGN KEY ("workspace_id", "from_branch_id") REFERENCES "branches"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "employee_transfers" ADD CONSTRAINT "employee_transfers_workspace_id_from_department_id_fkey" FOREIGN KEY ("workspace_id", "from_department_id") REFERENCES "departments"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "employee_transfers" ADD CONSTRAINT "employee_transfers_workspace_id_from_manager_id_fkey" FOREIGN KEY ("workspace_id", "from_manager_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "employee_transfers" ADD CONSTRAINT "employee_transfers_workspace_id_to_branch_id_fkey" FOREIGN KEY ("workspace_id", "to_branch_id") REFERENCES "branches"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "employee_transfers" ADD CONSTRAINT "employee_transfers_workspace_id_to_department_id_fkey" FOREIGN KEY ("workspace_id", "to_department_id") REFERENCES "departments"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "employee_transfers" ADD CONSTRAINT "employee_transfers_workspace_id_to_manager_id_fkey" FOREIGN KEY ("workspace_id", "to_manager_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "resignations" ADD CONSTRAINT "resignations_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "terminations" ADD CONSTRAINT "terminations_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "warnings" ADD CONSTRAINT "warnings_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "complaints" ADD CONSTRAINT "complaints_workspace_id_from_employee_id_fkey" FOREIGN KEY ("workspace_id", "from_employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "complaints" ADD CONSTRAINT "complaints_workspace_id_against_employee_id_fkey" FOREIGN KEY ("workspace_id", "against_employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "hrm_documents" ADD CONSTRAINT "hrm_documents_workspace_id_type_id_fkey" FOREIGN KEY ("workspace_id", "type_id") REFERENCES "document_types"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "audience_parts" ADD CONSTRAINT "audience_parts_workspace_id_announcement_id_fkey" FOREIGN KEY ("workspace_id", "announcement_id") REFERENCES "announcements"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "audience_parts" ADD CONSTRAINT "audience_parts_workspace_id_document_id_fkey" FOREIGN KEY ("workspace_id", "document_id") REFERENCES "hrm_documents"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "audience_parts" ADD CONSTRAINT "audience_parts_workspace_id_event_id_fkey" FOREIGN KEY ("workspace_id", "event_id") REFERENCES "events"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "audience_parts" ADD CONSTRAINT "audience_parts_workspace_id_branch_id_fkey" FOREIGN KEY ("workspace_id", "branch_id") REFERENCES "branches"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "audience_parts" ADD CONSTRAINT "audience_parts_workspace_id_department_id_fkey" FOREIGN KEY ("workspace_id", "department_id") REFERENCES "departments"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "audience_parts" ADD CONSTRAINT "audience_parts_workspace_id_designation_id_fkey" FOREIGN KEY ("workspace_id", "designation_id") REFERENCES "designations"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "audience_parts" ADD CONSTRAINT "audience_parts_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "acknowledgments" ADD CONSTRAINT "acknowledgments_workspace_id_announcement_id_fkey" FOREIGN KEY ("workspace_id", "announcement_id") REFERENCES "announcements"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "acknowledgments" ADD CONSTRAINT "acknowledgments_workspace_id_document_id_fkey" FOREIGN KEY ("workspace_id", "document_id") REFERENCES "hrm_documents"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "acknowledgments" ADD CONSTRAINT "acknowledgments_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "attendances" ADD CONSTRAINT "attendances_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "attendances" ADD CONSTRAINT "attendances_workspace_id_shift_id_fkey" FOREIGN KEY ("workspace_id", "shift_id") REFERENCES "shifts"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "attendances" ADD CONSTRAINT "attendances_workspace_id_leave_application_id_fkey" FOREIGN KEY ("workspace_id", "leave_application_id") REFERENCES "leave_applications"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "attendance_events" ADD CONSTRAINT "attendance_events_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "attendance_events" ADD CONSTRAINT "attendance_events_workspace_id_attendance_id_fkey" FOREIGN KEY ("workspace_id", "attendance_id") REFERENCES "attendances"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "leave_applications" ADD CONSTRAINT "leave_applications_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "leave_applications" ADD CONSTRAINT "leave_applications_workspace_id_leave_type_id_fkey" FOREIGN KEY ("workspace_id", "leave_type_id") REFERENCES "leave_types"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "leave_applications" ADD CONSTRAINT "leave_applications_workspace_id_approver_id_fkey" FOREIGN KEY ("workspace_id", "approver_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "leave_ledger" ADD CONSTRAINT "leave_ledger_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "leave_ledger" ADD CONSTRAINT "leave_ledger_workspace_id_employment_id_fkey" FOREIGN KEY ("workspace_id", "employment_id") REFERENCES "employments"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "leave_ledger" ADD CONSTRAINT "leave_ledger_workspace_id_leave_type_id_fkey" FOREIGN KEY ("workspace_id", "leave_type_id") REFERENCES "leave_types"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "leave_ledger" ADD CONSTRAINT "leave_ledger_workspace_id_lot_id_fkey" FOREIGN KEY ("workspace_id", "lot_id") REFERENCES "leave_ledger"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "leave_ledger" ADD CONSTRAINT "leave_ledger_workspace_id_application_id_fkey" FOREIGN KEY ("workspace_id", "application_id") REFERENCES "leave_applications"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deputies" ADD CONSTRAINT "deputies_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deputies" ADD CONSTRAINT "deputies_workspace_id_deputy_id_fkey" FOREIGN KEY ("workspace_id", "deputy_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "salary_component_versions" ADD CONSTRAINT "salary_component_versions_workspace_id_component_id_fkey" FOREIGN KEY ("workspace_id", "component_id") REFERENCES "salary_components"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payrolls" ADD CONSTRAINT "payrolls_workspace_id_branch_id_fkey" FOREIGN KEY ("workspace_id", "branch_id") REFERENCES "branches"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payrolls" ADD CONSTRAINT "payrolls_workspace_id_department_id_fkey" FOREIGN KEY ("workspace_id", "department_id") REFERENCES "departments"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payroll_entries" ADD CONSTRAINT "payroll_entries_workspace_id_payroll_id_fkey" FOREIGN KEY ("workspace_id", "payroll_id") REFERENCES "payrolls"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payroll_entries" ADD CONSTRAINT "payroll_entries_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payroll_one_offs" ADD CONSTRAINT "payroll_one_offs_workspace_id_payroll_id_fkey" FOREIGN KEY ("workspace_id", "payroll_id") REFERENCES "payrolls"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payroll_one_offs" ADD CONSTRAINT "payroll_one_offs_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payroll_one_offs" ADD CONSTRAINT "payroll_one_offs_workspace_id_component_id_fkey" FOREIGN KEY ("workspace_id", "component_id") REFERENCES "salary_components"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "employee_loans" ADD CONSTRAINT "employee_loans_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_workspace_id_entry_id_fkey" FOREIGN KEY ("workspace_id", "entry_id") REFERENCES "payroll_entries"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_workspace_id_component_id_fkey" FOREIGN KEY ("workspace_id", "component_id") REFERENCES "salary_components"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- Workspace, audit and version
SELECT suite_member('users');
SELECT suite_record('settings');
SELECT suite_member('number_counters');
SELECT suite_member('data_keys');
SELECT suite_member('sensitive_accesses');
SELECT suite_record('branches');
SELECT suite_record('departments');
SELECT suite_record('designations');
SELECT suite_record('document_types');
SELECT suite_record('shifts');
SELECT suite_member('shift_versions');
SELECT suite_record('holiday_calendars');
SELECT suite_record('holidays');
SELECT suite_record('employees');
SELECT suite_member('employments');
SELECT suite_member('employee_history');
SELECT suite_record('employee_documents');
SELECT suite_record('awards');
SELECT suite_record('promotions');
SELECT suite_record('employee_transfers');
SELECT suite_record('resignations');
SELECT suite_record('terminations');
SELECT suite_record('warnings');
SELECT suite_record('complaints');
SELECT suite_record('announcements');
SELECT suite_record('hrm_documents');
SELECT suite_record('events');
SELECT suite_member('audience_parts');
SELECT suite_record('acknowledgments');
SELECT suite_record('attendances');
SELECT suite_member('attendance_events');
SELECT suite_record('leave_types');
SELECT suite_record('leave_applications');
SELECT suite_member('leave_ledger');
SELECT suite_record('deputies');
SELECT suite_record('salary_components');
SELECT suite_member('salary_component_versions');
SELECT suite_record('payrolls');
SELECT suite_record('payroll_entries');
SELECT suite_record('payroll_one_offs');
SELECT suite_record('employee_loans');
SELECT suite_record('recoveries');

-- What Prisma cannot say.

-- An index for words inside one workspace, and one for people and ranges of time.
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE INDEX "users_workspace_id_search_idx" ON "users" USING gin ("workspace_id", "search");
CREATE INDEX "branches_workspace_id_search_idx" ON "branches" USING gin ("workspace_id", "search");
CREATE INDEX "departments_workspace_id_search_idx" ON "departments" USING gin ("workspace_id", "search");
CREATE INDEX "designations_workspace_id_search_idx" ON "designations" USING gin ("workspace_id", "search");
CREATE INDEX "document_types_workspace_id_search_idx" ON "document_types" USING gin ("workspace_id", "search");
CREATE INDEX "shifts_workspace_id_search_idx" ON "shifts" USING gin ("workspace_id", "search");
CREATE INDEX "holiday_calendars_workspace_id_search_idx" ON "holiday_calendars" USING gin ("workspace_id", "search");
CREATE INDEX "holidays_workspace_id_search_idx" ON "holidays" USING gin ("workspace_id", "search");
CREATE INDEX "employees_workspace_id_search_idx" ON "employees" USING gin ("workspace_id", "search");
CREATE INDEX "awards_workspace_id_search_idx" ON "awards" USING gin ("workspace_id", "search");
CREATE INDEX "warnings_workspace_id_search_idx" ON "warnings" USING gin ("workspace_id", "search");
CREATE INDEX "complaints_workspace_id_search_idx" ON "complaints" USING gin ("workspace_id", "search");
CREATE INDEX "announcements_workspace_id_search_idx" ON "announcements" USING gin ("workspace_id", "search");
CREATE INDEX "hrm_documents_workspace_id_search_idx" ON "hrm_documents" USING gin ("workspace_id", "search");
CREATE INDEX "events_workspace_id_search_idx" ON "events" USING gin ("workspace_id", "search");
CREATE INDEX "leave_types_workspace_id_search_idx" ON "leave_types" USING gin ("workspace_id", "search");
CREATE INDEX "salary_components_workspace_id_search_idx" ON "salary_components" USING gin ("workspace_id", "search");

-- Names are taken once, whatever their case.
CREATE UNIQUE INDEX "branches_name_key" ON "branches" ("workspace_id", lower("name"));
CREATE UNIQUE INDEX "departments_name_key" ON "departments" ("workspace_id", "branch_id", "parent_id", lower("name")) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX "designations_name_key" ON "designations" ("workspace_id", "department_id", lower("name"));
CREATE UNIQUE INDEX "document_types_name_key" ON "document_types" ("workspace_id", lower("name"));
CREATE UNIQUE INDEX "shifts_name_key" ON "shifts" ("workspace_id", lower("name"));
CREATE UNIQUE INDEX "leave_types_name_key" ON "leave_types" ("workspace_id", lower("name"));
CREATE UNIQUE INDEX "leave_types_code_key" ON "leave_types" ("workspace_id", lower("code"));
CREATE UNIQUE INDEX "holiday_calendars_name_key" ON "holiday_calendars" ("workspace_id", lower("name"));
-- One default of each, and one calendar for each branch.
CREATE UNIQUE INDEX "shifts_default_key" ON "shifts" ("workspace_id") WHERE "is_default";
CREATE UNIQUE INDEX "holiday_calendars_default_key" ON "holiday_calendars" ("workspace_id") WHERE "is_default";
CREATE UNIQUE INDEX "holiday_calendars_branch_key" ON "holiday_calendars" ("workspace_id", "branch_id") WHERE "active";
CREATE UNIQUE INDEX "data_keys_current_key" ON "data_keys" ("workspace_id", "purpose") WHERE "current";
CREATE INDEX "data_keys_master_idx" ON "data_keys" ("workspace_id", "master");

-- A user is one employee at most, and an id belongs to one of those who are employed.
CREATE UNIQUE INDEX "employees_user_id_key" ON "employees" ("workspace_id", "user_id") WHERE "user_id" IS NOT NULL;
CREATE UNIQUE INDEX "employees_national_id_key" ON "employees" ("workspace_id", "national_id_index") WHERE "status" <> 'left';
CREATE UNIQUE INDEX "employees_tax_id_key" ON "employees" ("workspace_id", "tax_id_index") WHERE "status" <> 'left';
ALTER TABLE "employments" ADD CONSTRAINT "employments_overlap" EXCLUDE USING gist (
  "workspace_id" WITH =, "employee_id" WITH =, daterange("joining_date", "exit_date", '[]') WITH &&);

-- One way out at a time.
CREATE UNIQUE INDEX "resignations_open_key" ON "resignations" ("workspace_id", "employee_id") WHERE "status" IN ('pending', 'approved');
CREATE UNIQUE INDEX "terminations_open_key" ON "terminations" ("workspace_id", "employee_id") WHERE "status" IN ('pending', 'approved');
CREATE UNIQUE INDEX "acknowledgments_announcement_key" ON "acknowledgments" ("workspace_id", "announcement_id", "employee_id") WHERE "announcement_id" IS NOT NULL;
CREATE UNIQUE INDEX "acknowledgments_document_key" ON "acknowledgments" ("workspace_id", "document_id", "employee_id") WHERE "document_id" IS NOT NULL;

-- One session of work at a time; what a client or a device says twice is one punch.
CREATE UNIQUE INDEX "attendances_open_key" ON "attendances" ("workspace_id", "employee_id") WHERE "state" = 'open';
CREATE INDEX "attendances_due_idx" ON "attendances" ("workspace_id", "window_end") WHERE "state" = 'open';
CREATE UNIQUE INDEX "attendance_events_client_key" ON "attendance_events" ("workspace_id", "employee_id", "client_id") WHERE "client_id" IS NOT NULL;
CREATE UNIQUE INDEX "attendance_events_device_key" ON "attendance_events" ("workspace_id", "device_id", "employee_id", date_trunc('second', "at", 'UTC')) WHERE "device_id" IS NOT NULL;

-- Two requests share a day only as its halves.
ALTER TABLE "leave_applications" ADD CONSTRAINT "leave_applications_overlap" EXCLUDE USING gist (
  "workspace_id" WITH =, "employee_id" WITH =, "half_days" WITH &&) WHERE ("status" IN ('pending', 'first_approved', 'approved'));
CREATE UNIQUE INDEX "leave_ledger_source_key" ON "leave_ledger" ("workspace_id", "source_key") WHERE "source_key" IS NOT NULL;
ALTER TABLE "deputies" ADD CONSTRAINT "deputies_overlap" EXCLUDE USING gist (
  "workspace_id" WITH =, "employee_id" WITH =, daterange("from", "to", '[]') WITH &&);

-- Nobody is in two regular runs of the same day.
ALTER TABLE "payroll_entries" ADD CONSTRAINT "payroll_entries_overlap" EXCLUDE USING gist (
  "workspace_id" WITH =, "employee_id" WITH =, daterange("period_start", "period_end", '[]') WITH &&)
  WHERE ("regular" AND "status" NOT IN ('cancelled', 'reversed'));

ALTER TABLE "users"
  ADD CONSTRAINT "users_kind_check" CHECK ("kind" IN ('owner', 'staff', 'client', 'vendor')),
  ADD CONSTRAINT "users_status_check" CHECK ("status" IN ('invited', 'active', 'disabled', 'former'));
ALTER TABLE "settings"
  ADD CONSTRAINT "settings_tax_year_start_check" CHECK ("tax_year_start" ~ '^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$'),
  ADD CONSTRAINT "settings_days_check" CHECK ("retention_years" BETWEEN 0 AND 100 AND "ack_days" BETWEEN 1 AND 365
    AND "approval_reminder_days" BETWEEN 1 AND 365 AND "payroll_day" BETWEEN 1 AND 31 AND "arrears_months" BETWEEN 0 AND 60),
  ADD CONSTRAINT "settings_working_days_basis_check" CHECK ("working_days_basis" IN ('weekdays_less_holidays', 'weekdays', 'calendar', 'fixed_30')),
  ADD CONSTRAINT "settings_overtime_check" CHECK ("overtime_pay" IN ('approved', 'all') AND "overtime_factor" >= 0),
  ADD CONSTRAINT "settings_percent_check" CHECK ("recovery_max_percent" BETWEEN 0 AND 100 AND "entitlement_step" > 0);
ALTER TABLE "data_keys" ADD CONSTRAINT "data_keys_purpose_check" CHECK ("purpose" IN ('values', 'index'));
ALTER TABLE "branches" ADD CONSTRAINT "branches_name_check" CHECK ("name" <> '');
ALTER TABLE "departments"
  ADD CONSTRAINT "departments_name_check" CHECK ("name" <> ''),
  ADD CONSTRAINT "departments_parent_check" CHECK ("parent_id" <> "id");
ALTER TABLE "designations" ADD CONSTRAINT "designations_name_check" CHECK ("name" <> '');
ALTER TABLE "document_types" ADD CONSTRAINT "document_types_name_check" CHECK ("name" <> '');
ALTER TABLE "shifts"
  ADD CONSTRAINT "shifts_name_check" CHECK ("name" <> ''),
  ADD CONSTRAINT "shifts_times_check" CHECK ("start" ~ '^([01]\d|2[0-3]):[0-5]\d$' AND "end" ~ '^([01]\d|2[0-3]):[0-5]\d$' AND "start" <> "end"),
  ADD CONSTRAINT "shifts_days_check" CHECK (cardinality("days") BETWEEN 1 AND 7 AND "days" <@ '{1,2,3,4,5,6,7}'),
  ADD CONSTRAINT "shifts_minutes_check" CHECK (least("break_minutes", "grace_late", "grace_early", "half_day_below", "absent_below",
    "early_window_minutes", "late_window_minutes", "break_after_minutes", "overtime_after_minutes") >= 0);
ALTER TABLE "holiday_calendars" ADD CONSTRAINT "holiday_calendars_name_check" CHECK ("name" <> '');
ALTER TABLE "holidays"
  ADD CONSTRAINT "holidays_name_check" CHECK ("name" <> ''),
  ADD CONSTRAINT "holidays_dates_check" CHECK ("to" >= "from");
ALTER TABLE "employees"
  ADD CONSTRAINT "employees_name_check" CHECK ("name" <> '' AND "code" <> ''),
  ADD CONSTRAINT "employees_status_check" CHECK ("status" IN ('onboarding', 'active', 'on_leave_long', 'suspended', 'on_notice', 'left')),
  ADD CONSTRAINT "employees_employment_type_check" CHECK ("employment_type" IN ('full', 'part', 'contract', 'intern')),
  ADD CONSTRAINT "employees_gender_check" CHECK ("gender" IN ('female', 'male', 'other', 'undisclosed')),
  ADD CONSTRAINT "employees_manager_check" CHECK ("manager_id" <> "id"),
  ADD CONSTRAINT "employees_dates_check" CHECK ("exit_date" >= "joining_date" AND "probation_end" >= "joining_date"),
  ADD CONSTRAINT "employees_notice_days_check" CHECK ("notice_days" BETWEEN 0 AND 730),
  ADD CONSTRAINT "employees_indexes_check" CHECK (("national_id_sealed" IS NULL) = ("national_id_index" IS NULL)
    AND ("tax_id_sealed" IS NULL) = ("tax_id_index" IS NULL));
ALTER TABLE "employments"
  ADD CONSTRAINT "employments_dates_check" CHECK ("exit_date" >= "joining_date"),
  ADD CONSTRAINT "employments_exit_cause_check" CHECK ("exit_cause" IN ('resigned', 'terminated', 'retired'));
ALTER TABLE "employee_history"
  ADD CONSTRAINT "employee_history_field_check" CHECK ("field" IN ('branch_id', 'department_id', 'designation_id', 'manager_id',
    'shift_id', 'calendar_id', 'employment_type', 'salary')),
  ADD CONSTRAINT "employee_history_value_check" CHECK (CASE "field" WHEN 'salary' THEN "value" IS NULL ELSE "value_sealed" IS NULL END),
  ADD CONSTRAINT "employee_history_cause_check" CHECK ("cause" IN ('joining', 'promotion', 'transfer', 'manual', 'rehire')),
  ADD CONSTRAINT "employee_history_seq_check" CHECK ("seq" > 0);
ALTER TABLE "employee_documents" ADD CONSTRAINT "employee_documents_size_check" CHECK ("size" > 0);
ALTER TABLE "hrm_documents" ADD CONSTRAINT "hrm_documents_size_check" CHECK ("size" > 0);
ALTER TABLE "promotions" ADD CONSTRAINT "promotions_status_check" CHECK ("status" IN ('pending', 'approved', 'rejected', 'withdrawn', 'effective'));
ALTER TABLE "employee_transfers"
  ADD CONSTRAINT "employee_transfers_status_check" CHECK ("status" IN ('pending', 'approved', 'rejected', 'withdrawn', 'effective')),
  ADD CONSTRAINT "employee_transfers_to_check" CHECK (num_nonnulls("to_branch_id", "to_department_id", "to_manager_id") > 0);
ALTER TABLE "resignations"
  ADD CONSTRAINT "resignations_status_check" CHECK ("status" IN ('pending', 'approved', 'rejected', 'withdrawn', 'effective')),
  ADD CONSTRAINT "resignations_dates_check" CHECK ("last_day" >= "notice_date");
ALTER TABLE "terminations"
  ADD CONSTRAINT "terminations_status_check" CHECK ("status" IN ('pending', 'approved', 'rejected', 'withdrawn', 'effective')),
  ADD CONSTRAINT "terminations_type_check" CHECK ("type" IN ('dismissal', 'redundancy', 'contract_end', 'retirement', 'death'));
ALTER TABLE "warnings"
  ADD CONSTRAINT "warnings_severity_check" CHECK ("severity" IN ('verbal', 'written', 'final')),
  ADD CONSTRAINT "warnings_status_check" CHECK ("status" IN ('issued', 'acknowledged', 'closed', 'expired'));
ALTER TABLE "complaints"
  ADD CONSTRAINT "complaints_status_check" CHECK ("status" IN ('open', 'investigating', 'resolved', 'dismissed')),
  ADD CONSTRAINT "complaints_author_check" CHECK ("anonymous" = ("author_sealed" IS NOT NULL) AND NOT ("anonymous" AND "from_employee_id" IS NOT NULL));
ALTER TABLE "announcements"
  ADD CONSTRAINT "announcements_status_check" CHECK ("status" IN ('draft', 'published', 'expired', 'archived', 'cancelled')),
  ADD CONSTRAINT "announcements_dates_check" CHECK ("end" >= "start");
ALTER TABLE "hrm_documents"
  ADD CONSTRAINT "hrm_documents_status_check" CHECK ("status" IN ('draft', 'published', 'expired', 'archived', 'cancelled')),
  ADD CONSTRAINT "hrm_documents_dates_check" CHECK ("end" >= "start");
ALTER TABLE "events"
  ADD CONSTRAINT "events_status_check" CHECK ("status" IN ('draft', 'published', 'expired', 'archived', 'cancelled')),
  ADD CONSTRAINT "events_times_check" CHECK ("end" >= "start");
ALTER TABLE "audience_parts"
  ADD CONSTRAINT "audience_parts_of_check" CHECK (num_nonnulls("announcement_id", "document_id", "event_id") = 1),
  ADD CONSTRAINT "audience_parts_who_check" CHECK (num_nonnulls("branch_id", "department_id", "designation_id", "employee_id") = 1);
ALTER TABLE "acknowledgments"
  ADD CONSTRAINT "acknowledgments_of_check" CHECK (num_nonnulls("announcement_id", "document_id") = 1),
  ADD CONSTRAINT "acknowledgments_status_check" CHECK ("status" IN ('pending', 'acknowledged') AND ("status" = 'acknowledged') = ("at" IS NOT NULL));
ALTER TABLE "attendances"
  ADD CONSTRAINT "attendances_state_check" CHECK ("state" IN ('open', 'closed')),
  ADD CONSTRAINT "attendances_status_check" CHECK ("status" IN ('present', 'absent', 'half_day', 'on_leave', 'holiday', 'weekly_off', 'work_from_home')),
  ADD CONSTRAINT "attendances_minutes_check" CHECK (least("worked_minutes", "break_minutes", "expected_minutes", "late_minutes", "early_minutes", "overtime_minutes") >= 0),
  ADD CONSTRAINT "attendances_times_check" CHECK ("last_out" >= "first_in" AND "shift_end" > "shift_start" AND "window_end" > "window_start");
ALTER TABLE "attendance_events"
  ADD CONSTRAINT "attendance_events_type_check" CHECK ("type" IN ('in', 'out', 'break_start', 'break_end')),
  ADD CONSTRAINT "attendance_events_source_check" CHECK ("source" IN ('web', 'mobile', 'device', 'admin'));
ALTER TABLE "leave_types"
  ADD CONSTRAINT "leave_types_name_check" CHECK ("name" <> '' AND "code" <> ''),
  ADD CONSTRAINT "leave_types_accrual_check" CHECK ("accrual" IN ('upfront', 'monthly')),
  ADD CONSTRAINT "leave_types_days_check" CHECK ("days_per_year" BETWEEN 0 AND 366 AND "carry_forward_max" >= 0 AND "allow_negative_to" >= 0
    AND "carry_expires_after_days" > 0 AND "max_consecutive" > 0 AND least("min_notice_days", "applicable_after_days", coalesce("requires_document_after", 0)) >= 0),
  ADD CONSTRAINT "leave_types_carry_expires_on_check" CHECK ("carry_expires_on" ~ '^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$');
ALTER TABLE "leave_applications"
  ADD CONSTRAINT "leave_applications_dates_check" CHECK ("to" >= "from" AND "days" > 0),
  ADD CONSTRAINT "leave_applications_half_day_check" CHECK ("half_day" IN ('none', 'first', 'second') AND ("half_day" = 'none' OR "from" = "to")),
  ADD CONSTRAINT "leave_applications_midday_check" CHECK (NOT ("starts_midday" OR "ends_midday") OR "from" < "to"),
  ADD CONSTRAINT "leave_applications_status_check" CHECK ("status" IN ('pending', 'first_approved', 'approved', 'rejected', 'cancelled'));
ALTER TABLE "leave_ledger"
  ADD CONSTRAINT "leave_ledger_kind_check" CHECK ("kind" IN ('allocation', 'accrual', 'carry_forward', 'taken', 'restored', 'expiry', 'encash', 'adjustment')),
  ADD CONSTRAINT "leave_ledger_days_check" CHECK ("days" <> 0 AND "valid_to" >= "valid_from");
ALTER TABLE "deputies" ADD CONSTRAINT "deputies_check" CHECK ("to" >= "from" AND "deputy_id" <> "employee_id");
ALTER TABLE "salary_components"
  ADD CONSTRAINT "salary_components_code_check" CHECK ("code" ~ '^[a-z_]+$'),
  ADD CONSTRAINT "salary_components_kind_check" CHECK ("kind" IN ('earning', 'deduction', 'employer')),
  ADD CONSTRAINT "salary_components_calc_check" CHECK ("calc" IN ('fixed', 'percent_of_basic', 'formula', 'slab'));
ALTER TABLE "payrolls"
  ADD CONSTRAINT "payrolls_type_check" CHECK ("type" IN ('regular', 'off_cycle')),
  ADD CONSTRAINT "payrolls_frequency_check" CHECK ("frequency" IN ('monthly', 'fortnightly', 'weekly')),
  ADD CONSTRAINT "payrolls_period_check" CHECK ("period_end" >= "period_start"),
  ADD CONSTRAINT "payrolls_status_check" CHECK ("status" IN ('draft', 'processing', 'calculated', 'failed', 'approved', 'paid', 'cancelled', 'reversed')),
  ADD CONSTRAINT "payrolls_counts_check" CHECK ("done" BETWEEN 0 AND "employee_count" AND "failed" BETWEEN 0 AND "employee_count"),
  ADD CONSTRAINT "payrolls_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$');
ALTER TABLE "payroll_entries"
  ADD CONSTRAINT "payroll_entries_period_check" CHECK ("period_end" >= "period_start"),
  ADD CONSTRAINT "payroll_entries_status_check" CHECK ("status" IN ('draft', 'finalised', 'withheld', 'paid', 'cancelled', 'reversed', 'failed'));
ALTER TABLE "employee_loans" ADD CONSTRAINT "employee_loans_status_check" CHECK ("status" IN ('open', 'settled', 'cancelled'));
ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_status_check" CHECK ("status" IN ('open', 'settled'));

-- Workspace, audit and version. The audit log says that a sealed column changed, and not to what.
SELECT suite_record(record::regclass) FROM unnest(ARRAY[
  'settings', 'branches', 'departments', 'designations', 'document_types', 'shifts', 'holiday_calendars', 'holidays',
  'employee_documents', 'awards', 'employee_transfers', 'resignations', 'terminations', 'warnings', 'announcements',
  'hrm_documents', 'events', 'acknowledgments', 'attendances', 'leave_types', 'leave_applications', 'deputies',
  'salary_components', 'payrolls'
]) AS record;
SELECT
  suite_record('employees', 'sealed:bank_sealed', 'sealed:national_id_sealed', 'sealed:tax_id_sealed', 'sealed:ytd_opening_sealed',
    'national_id_index', 'tax_id_index'),
  suite_record('promotions', 'sealed:salary_sealed'),
  suite_record('complaints', 'sealed:author_sealed'),
  suite_record('payroll_entries', 'sealed:inputs_sealed', 'sealed:figures_sealed', 'sealed:lines_sealed', 'sealed:ytd_sealed',
    'sealed:bank_sealed', 'sealed:explain_sealed'),
  suite_record('payroll_one_offs', 'sealed:amount_sealed'),
  suite_record('employee_loans', 'sealed:amount_sealed', 'sealed:instalment_sealed'),
  suite_record('recoveries', 'sealed:amount_sealed', 'sealed:left_sealed'),
  suite_member('employee_history', 'sealed:value_sealed'),
  suite_member('data_keys', 'wrapped');
SELECT suite_member(member::regclass) FROM unnest(ARRAY[
  'employments', 'shift_versions', 'audience_parts', 'attendance_events', 'leave_ledger', 'salary_component_versions'
]) AS member;
-- Copies of another service's records, counters and logs of our own: confined, and not audited a second time.
SELECT suite_confine(plain::regclass) FROM unnest(ARRAY['users', 'number_counters', 'sensitive_accesses']) AS plain;
-- Written once: a correction is a further row.
SELECT suite_append_only(written_once::regclass) FROM unnest(ARRAY['sensitive_accesses', 'leave_ledger', 'employee_history']) AS written_once;
