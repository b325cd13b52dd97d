// Writes docs/openapi.json: `node apps/api/openapi/write.ts`.
import { writeFileSync } from "node:fs";
import { dealTypes } from "@tranche/shared/vocabulary/deal-types";
import { createEndpoints } from "../endpoints/endpoints.ts";
import { openApiDocument } from "./document.ts";

const file = new URL("../../../docs/openapi.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(openApiDocument(createEndpoints(dealTypes())), null, 2)}\n`);
