"""Imports a file into doccano, as its page does, and exports what came of it; run by doccano's own Python."""

import os
import sys
import tempfile
from pathlib import Path

import backend  # doccano

folder = tempfile.mkdtemp()
os.environ |= {
    "DATABASE_URL": f"sqlite:///{folder}/doccano.sqlite3",
    "DJANGO_SETTINGS_MODULE": "config.settings.base",
    "STANDALONE": "True",
    "MEDIA_ROOT": folder,
}
sys.path.insert(0, str(Path(backend.__file__).parent))

import django  # noqa: E402

django.setup()
from data_export.celery_tasks import export_dataset  # noqa: E402
from data_import.celery_tasks import load_dataset  # noqa: E402
from data_import.pipeline.catalog import create_file_format  # noqa: E402
from data_import.pipeline.readers import FileName  # noqa: E402
from django.conf import settings  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import call_command  # noqa: E402
from projects.models import TextClassificationProject  # noqa: E402

settings.MEDIA_ROOT = folder
call_command("migrate", verbosity=0)
user = get_user_model().objects.create_user("ann")
about = {"name": "p", "project_type": "DocumentClassification", "collaborative_annotation": True}
project = TextClassificationProject.objects.create(**about, created_by=user)
path = sys.argv[1]
file = FileName(full_path=path, generated_name=path, upload_name=path)
given = {"column_data": "text", "column_label": "label", "encoding": "utf_8", "delimiter": ","}
dataset = load_dataset("DocumentClassification", create_file_format("JSONL"), [file], project, **given)
dataset.save(user, batch_size=100)
if dataset.errors:
    sys.exit(str([error.dict() for error in dataset.errors]))
import zipfile  # noqa: E402

with zipfile.ZipFile(export_dataset(project.id, "JSONL")) as whole:
    Path(sys.argv[2]).write_bytes(whole.read(whole.namelist()[0]))
