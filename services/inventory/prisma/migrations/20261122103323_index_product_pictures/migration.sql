-- CreateIndex
CREATE INDEX "products_workspace_id_image_idx" ON "products"("workspace_id", "image");

-- CreateIndex
CREATE INDEX "products_workspace_id_image_thumbnail_idx" ON "products"("workspace_id", "image_thumbnail");
