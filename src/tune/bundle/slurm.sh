#!/bin/bash
# Eight workers, a GPU each, on one folder: sbatch slurm.sh
#SBATCH --array=0-7
#SBATCH --gres=gpu:1
#SBATCH --time=01:00:00
cd "$SLURM_SUBMIT_DIR" && ./tune --worker "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
